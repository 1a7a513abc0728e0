"""The namespaces of a program: `torch` and what is in it, `math`, `F`. Functions come from the engine's registry;
what stands here by hand is what is no operation: modes, dtypes, constants, switches."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autodiff_cli.engine import autograd, dtypes, families, methods
from autodiff_cli.engine.device import Device
from autodiff_cli.engine.formatting import DEFAULT_OPTIONS
from autodiff_cli.engine.ops.matrices import LinAlgFault
from autodiff_cli.engine.registry import FUNCTIONS, Function
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import OverflowFault, TypeFault
from autodiff_cli.runtime.functions import GradMode
from autodiff_cli.runtime.objects import Namespace, Native
from autodiff_cli.runtime.state import State
from autodiff_cli.runtime.types import DTYPE, TENSOR, ErrorType, TypeName

_ = methods  # importing it fills the registry

LINALG_ERROR = ErrorType("LinAlgError", LinAlgFault, LinAlgFault)


class SwitchedMode(GradMode):
    """`torch.set_grad_enabled(b)`: takes effect when it is called, and is undone at the end of a `with`."""

    __slots__ = ()

    def __init__(self, enabled: Any) -> None:
        if not isinstance(enabled, (bool, Tensor)):
            raise TypeFault("set_grad_enabled() takes True or False")
        super().__init__(bool(enabled), "torch.set_grad_enabled")
        self.before.append(tape.grad_enabled)
        tape.grad_enabled = bool(enabled)
        if tape.events is not None:
            tape.events.mode(self.enabled, self.name)

    def enter(self) -> None:
        if self.before and tape.grad_enabled == self.enabled:
            return
        super().enter()

    def __call__(self, function: Any) -> Any:
        self.leave()
        return GradMode.__call__(self, function)


class AnomalyMode(GradMode):
    """`torch.autograd.set_detect_anomaly(True)`: backward stops where a gradient becomes nan."""

    __slots__ = ()

    def __init__(self, mode: Any = True, check_nan: bool = True) -> None:
        super().__init__(bool(mode) and check_nan, "torch.autograd.set_detect_anomaly")
        self.before.append(tape.anomaly)
        tape.anomaly = self.enabled

    def enter(self) -> None:
        tape.anomaly = self.enabled

    def leave(self) -> None:
        tape.anomaly = self.before.pop()


def _mode(name: str, enabled: bool) -> Native:
    def make(mode: Any = True) -> GradMode:
        return GradMode(enabled if mode is not False else not enabled, f"torch.{name}")

    return Native(name, make)


def _set_default_dtype(d: Any) -> None:
    if not isinstance(d, dtypes.DType) or not d.is_floating_point:
        raise TypeFault(f"the default dtype is a floating dtype, not {d!r}", hint="torch.float64 or torch.float32")
    tape.default_dtype = d


def _set_printoptions(**options: Any) -> None:
    DEFAULT_OPTIONS.update(**options)


def _backward(*args: Any, **keywords: Any) -> None:
    autograd.backward(*args, **keywords)


def _is_tensor(obj: Any) -> bool:
    return isinstance(obj, Tensor)


def _numbers_allowed(call: Callable[..., Any]) -> Callable[..., Any]:
    """A bare name's function: where the tensor function refuses plain numbers, they are made tensors (`sqrt(2) * x`)."""

    def run(*args: Any, **keywords: Any) -> Any:
        try:
            return call(*args, **keywords)
        except (TypeFault, TypeError):
            if not args or not all(isinstance(a, (Tensor, float, int)) for a in args):
                raise
            return call(*[wrap(float(a)) if type(a) in (int, float) else a for a in args], **keywords)

    run.scalar_op = getattr(call, "scalar_op", None)  # type: ignore[attr-defined]
    return run


def functions_of(place: str) -> dict[str, Any]:
    """The registry's functions of one place, by name."""
    found = {name: Native(name, f.call) for (where, name), f in FUNCTIONS.items() if where == place}
    _natives.update(((place, name), native) for name, native in found.items())
    return found


_natives: dict[families.Key, Native] = {}  # what programs call, by place; a bare name's place is _BARE
_BARE = ""


def _loaded(keys: list[families.Key]) -> None:
    """Let what programs hold call the real functions."""
    for place, name in keys:
        function = FUNCTIONS[place, name]
        if (place, name) in _natives:
            _natives[place, name].set_call(function.call)
        if (_BARE, name) in _natives and _bare_place(name) == place:
            _natives[_BARE, name].set_call(_bare_call(name, function))


families.listeners.append(_loaded)


def bare_functions() -> dict[str, Any]:
    """The names that need no prefix: what torch, torch.nn.functional and torch.special have."""
    names = dict.fromkeys(name for place, name in FUNCTIONS if place in _BARE_PLACES)
    found = {name: Native(name, _bare_call(name, FUNCTIONS[_bare_place(name), name])) for name in names}
    _natives.update(((_BARE, name), native) for name, native in found.items())
    return found


_BARE_PLACES = ("torch", "F", "special")
# whose forms in torch have no defaults (`torch.dropout(x, p, train)`): who writes the bare name means the other
_F_FIRST = frozenset(("celu", "dropout", "embedding", "kl_div", "relu_", "selu", "threshold"))


def _bare_place(name: str) -> str:
    return "F" if name in _F_FIRST else next(place for place in _BARE_PLACES if (place, name) in FUNCTIONS)


def _bare_call(name: str, function: Function) -> Callable[..., Any]:
    return _numbers_allowed(function.call) if function.numbers else function.call


def torch_namespace() -> Namespace:
    """`torch`, with everything in it."""
    functional = Namespace("torch.nn.functional", functions_of("F"))
    spaces = {
        "nn": Namespace("torch.nn", {"functional": functional}),
        "linalg": Namespace("torch.linalg", {**functions_of("linalg"), "LinAlgError": LINALG_ERROR}),
        "special": Namespace("torch.special", functions_of("special")),
        "func": Namespace("torch.func", functions_of("func")),
        "autograd": Namespace("torch.autograd", _autograd_table()),
    }
    if "vmap" in spaces["func"].table:
        spaces["vmap"] = spaces["func"].table["vmap"]
    table: dict[str, Any] = {**functions_of("torch"), **spaces, **_modes(), **_switches(), **_constants()}
    return Namespace("torch", table)


def _autograd_table() -> dict[str, Any]:
    table = functions_of("autograd")
    table["functional"] = Namespace("torch.autograd.functional", functions_of("autograd.functional"))
    table["grad"] = Native("grad", autograd.grad)
    table["backward"] = Native("backward", _backward)
    table["set_detect_anomaly"] = Native("set_detect_anomaly", AnomalyMode)
    table["detect_anomaly"] = Native("detect_anomaly", lambda check_nan=True: AnomalyMode(True, check_nan))
    table.update(_modes())
    return table


def _modes() -> dict[str, Any]:
    return {
        "no_grad": _mode("no_grad", False),
        "enable_grad": _mode("enable_grad", True),
        "inference_mode": _mode("inference_mode", False),
        "set_grad_enabled": Native("set_grad_enabled", SwitchedMode),
        "is_anomaly_enabled": Native("is_anomaly_enabled", lambda: tape.anomaly),
        "is_grad_enabled": Native("is_grad_enabled", lambda: tape.grad_enabled),
    }


def _switches() -> dict[str, Any]:
    def nothing(*_args: Any, **_keywords: Any) -> None:
        return None

    return {
        "set_default_dtype": Native("set_default_dtype", _set_default_dtype),
        "get_default_dtype": Native("get_default_dtype", lambda: tape.default_dtype),
        "set_printoptions": Native("set_printoptions", _set_printoptions),
        "set_num_threads": Native("set_num_threads", nothing),
        "use_deterministic_algorithms": Native("use_deterministic_algorithms", nothing),
        "is_tensor": Native("is_tensor", _is_tensor),
        "device": TypeName("device", Device, Device, module="torch."),
        "Tensor": TENSOR,
        "dtype": DTYPE,
    }


def _constants() -> dict[str, Any]:
    names = {d.name: d for d in dtypes.ALL}
    return {
        **names,
        "double": dtypes.float64,
        "float": dtypes.float32,
        "long": dtypes.int64,
        "int": dtypes.int32,
        "short": dtypes.int16,
        "pi": math.pi,
        "e": math.e,
        "inf": math.inf,
        "nan": math.nan,
    }


# --- math -------------------------------------------------------------------------------------------------------

_MATH = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist erf erfc exp exp2 expm1 fabs "
    "factorial floor fmod frexp fsum gamma gcd hypot isclose isfinite isinf isnan isqrt lcm ldexp lgamma log log10 log1p "
    "log2 modf nextafter perm pow prod radians remainder sin sinh sqrt sumprod tan tanh trunc ulp"
)


def math_namespace(state: State) -> Namespace:
    """`math`: on plain numbers, and on scalar tensors as numbers (their gradient is lost, with a warning)."""
    table: dict[str, Any] = {name: getattr(math, name) for name in ("pi", "e", "tau", "inf", "nan")}
    for name in _MATH.split():
        function = getattr(math, name, None)
        if function is not None:
            table[name] = Native(name, _on_numbers(name, function, state), plain=True)
    return Namespace("math", table)


def _on_numbers(name: str, function: Callable[..., Any], state: State) -> Callable[..., Any]:
    def run(*args: Any, **keywords: Any) -> Any:
        for x in args:
            if type(x) is Tensor and x.requires_grad:
                state.warn(
                    f"math.{name} takes a plain number: the gradient of the tensor given to it is lost. "
                    f"Write torch.{name} to keep it"
                )
        if name in ("factorial", "comb", "perm") and any(isinstance(x, int) and x > 1000 for x in args):
            raise OverflowFault(f"math.{name} of a number this large is past 64 bits", hint="use math.lgamma")
        result = function(*args, **keywords)
        if type(result) is int and not -(2**63) <= result < 2**63:
            raise OverflowFault(f"math.{name}: the result is past 64 bits", hint="compute with floats")
        return result

    return run
