"""One operation, one record: everything the project knows of an operation is read off the `Op` here.

An `Op` is a primitive: how its value is computed (for Python floats and for arrays), its derivative rules, the domain
it is tested on, its kinks and the convention there. It is callable:

* on raw values (floats, ints, bools, ndarrays) it computes;
* on tensors it computes and records a node of the graph (`Tensor.__apply__`);
* on symbols it builds the text of a formula (`Symbol.__apply__`).

So a derivative rule, written once in ops and operators, gives numbers, graphs of derivatives, and formulas.

A rule is `vjp(g, y, *operands, **params)`: the cotangent of the result, the result, the operands -> the cotangent of
its operand. There is one rule an operand (None: not differentiable in it). A parameter whose name begins with an
underscore is not read; of one that begins with `like_` only shape and dtype are; one that begins with `hint_` only
sharpens digits that the result lost (it is checked against the result, so a hint that was changed in place since
does no harm); one that begins with `plain_` is always a plain number. What the others name is what the operation
saves for backward, and PyTorch's rules about changed and freed values follow from that. A rule never asks for the
truth of a value: it says `where`. Broadcasting and dtypes are put right once, in the backward walk, not in rules.

Public functions (PyTorch's signatures, which choose and call primitives) are registered by `public`.

This module knows no Tensor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.signatures import held, in_one
from autodiff_cli.errors import Fault, RuntimeFault

Rule = Callable[..., Any]
Called = TypeVar("Called", bound=Callable[..., Any])

MIXED = "mixed"


class Ops(dict[str, "Op"]):
    """Operations by name. One that is not there is asked of `load`, which families.py sets."""

    load: Callable[[str], Op | None] | None = None

    def __missing__(self, name: str) -> Op:
        found = None if self.load is None else self.load(name)
        if found is None:
            raise KeyError(name)
        return found


OPS = Ops()
_raw_types: set[type] = {float, int, bool}  # classes known to have no `__apply__`: a failed look-up is slow


class Op:
    """A primitive operation.

    Attributes:
        name: unique, lower case (`mul`).
        grad_fn: PyTorch's name of its node (`MulBackward0`).
        scalar: floats -> float, or None. It may raise ArithmeticError or ValueError where Python does and IEEE
            doesn't; `array` then gives the answer.
        array: raw values -> raw value (or tuple of them).
        vjps: the rules, one an operand; for a variadic op a single rule that takes `index=` (which operand). None: the
            operation has no derivative, and its results never require a gradient.
        policy: how operands of different dtypes meet: "promote"; "float" (as promote, integers become floating);
            "compare" (promote; the result is bool); None: left as they are.
        promote_from: the first operand that takes part in that (1 for `where`).
        variadic: any number of operands.
        view: the result shares the first operand's memory.
        domain: for each operand the interval from which tests draw points.
        kinks: what holds where the derivative has a convention, in words, or "".
        about: one line for the reader.
        formulas: the derivatives as text, where the rule's own form (with its guards) is not what one wants to read. In
            them operands are called as in the rules, `y` is the result. A text with `g`, the cotangent, is all that the
            operand gets; one without is multiplied by it. `expand(g)` is g with the reduced dimensions put back and
            spread, `n` how many entries were reduced into one. A function of the parameters gives a text for them.
        scalar_types: the types of operands that `scalar` takes.
    """

    __slots__ = (
        "about",
        "array",
        "domain",
        "floats",
        "formulas",
        "grad_fn",
        "hands_on",
        "is_product",
        "is_sum",
        "kinks",
        "name",
        "policy",
        "promote_from",
        "reads",
        "reads_result",
        "saves",
        "scalar",
        "scalar_types",
        "variadic",
        "view",
        "vjps",
    )

    def __init__(
        self,
        name: str,
        array: Callable[..., Any],
        vjps: Sequence[Rule | None] | None,
        *,
        scalar: Callable[..., float] | None = None,
        grad_fn: str | None = None,
        policy: str | None = None,
        promote_from: int = 0,
        variadic: bool = False,
        view: bool = False,
        domain: Sequence[tuple[float, float]] = ((-2.0, 2.0),),
        kinks: str = "",
        about: str = "",
        formulas: tuple[str | Callable[..., str], ...] = (),
        scalar_types: frozenset[type] = frozenset((float,)),
    ) -> None:
        self.name = name
        self.formulas = formulas
        self.scalar_types = scalar_types
        self.grad_fn = grad_fn or "".join(part.capitalize() for part in name.split("_")) + "Backward0"
        self.scalar = scalar
        self.array = array
        self.vjps: Any = None if vjps is None else tuple(vjps)
        self.policy = policy
        self.promote_from = promote_from
        self.variadic = variadic
        self.view = view
        self.domain = tuple(domain)
        self.kinks = kinks
        self.about = about
        self.reads = tuple(_reads(rule, variadic) for rule in self.vjps or ())
        self.reads_result = any(-1 in read for read in self.reads)
        # whether a node of it saves something: yes, no, or (MIXED) by which operands require a gradient
        ruled = [bool(read) for read, rule in zip(self.reads, self.vjps or (), strict=True) if rule is not None]
        self.saves: Any = MIXED if any(ruled) and not all(ruled) else any(ruled)
        # rules that hand the cotangent on as it is (add): the walk need not call them
        self.hands_on = tuple(rule is not None and _same_code(rule, _SAME) for rule in self.vjps or ())
        # two operands of which each gets the cotangent, or that times the other operand: the walk does it without the rules
        self.is_sum = self.hands_on == (True, True)
        self.is_product = len(self.reads) == 2 and all(map(_same_code, self.vjps or (), _PRODUCT))
        # its rules may be run on Python floats: it has a form on floats, and one or two operands or several named ones
        self.floats = scalar is not None and self.vjps is not None and not variadic

    def __repr__(self) -> str:
        return f"<op {self.name}>"

    @property
    def label(self) -> str:
        """What views call the operation: PyTorch's name of its node in lower case (`pow` for PowBackward0)."""
        stem = re.sub(r"Backwards?\d*$", "", self.grad_fn.rsplit("::", 1)[-1])
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", stem).lower()

    def __call__(self, *xs: Any, **params: Any) -> Any:
        for x in xs:
            if type(x) not in _raw_types:
                handler = getattr(type(x), "__apply__", None)
                if handler is not None:
                    return handler(self, xs, params)
                _raw_types.add(type(x))
        return self.compute(xs, params)

    def compute(self, xs: Sequence[Any], params: dict[str, Any]) -> Any:
        """The raw result on raw operands.

        Raises:
            RuntimeFault: the operands' shapes do not go together.
        """
        scalar = self.scalar
        if scalar is not None and type(xs[0]) in self.scalar_types:
            for x in xs:
                if type(x) not in self.scalar_types:
                    break
            else:
                try:
                    return scalar(*xs, **params)
                except (ArithmeticError, ValueError):
                    xs = [np.float64(x) for x in xs]
        try:
            result = self.array(*xs, **params)
        except Fault:
            raise
        except ValueError as e:
            raise RuntimeFault(shape_message(self, xs)) from e
        return result if self.view else settle(result)


_UNSAVED = ("_", "like_", "hint_", "plain_")


def _same_code(rule: Rule | None, like: Rule) -> bool:
    """Whether a rule does what another does, seen by its code."""
    if rule is None:
        return False
    code = rule.__code__
    return code.co_code == like.__code__.co_code and not code.co_consts[1:] and code.co_argcount >= 2


_SAME: Rule = lambda g, _y: g  # noqa: E731
_PRODUCT: tuple[Rule, Rule] = (lambda g, _y, _a, b: g * b, lambda g, _y, a, _b: g * a)


def _reads(rule: Rule | None, variadic: bool) -> frozenset[int]:
    """What a rule reads: -1 for the result, i for operand i (for a variadic op: -2, all operands)."""
    if rule is None:
        return frozenset()
    code = rule.__code__
    names = code.co_varnames[1 : code.co_argcount]
    read = {i - 1 for i, name in enumerate(names) if not name.startswith(_UNSAVED)}
    if variadic and code.co_flags & 0x04:  # *xs
        star = code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
        if not star.startswith(_UNSAVED):
            read.add(-2)
    return frozenset(read)


def settle(value: Any) -> Any:
    """A raw value in its canonical form: 0-d float64, int64 and bool become Python's float, int and bool."""
    kind = type(value)
    if kind is float or kind is int or kind is bool:
        return value
    if kind is tuple:
        return tuple(settle(v) for v in value)
    if value.ndim == 0:
        dtype = value.dtype  # its name would take ten times as long
        if dtype.kind == "b" or (dtype.itemsize == 8 and dtype.kind in "fi"):
            return value.item()
        return np.asarray(value)
    return value


def shape_of(value: Any) -> tuple[int, ...]:
    """The shape of a raw value, a tensor or a symbol; () for a plain number."""
    return getattr(value, "shape", ())


def shape_message(op: Op, xs: Sequence[Any]) -> str:
    """What to say of operands whose shapes do not broadcast."""
    shapes = " and ".join(str(tuple(shape_of(x))) for x in xs)
    return f"{op.name}: the shapes {shapes} do not go together"


def register(op: Op) -> Op:
    """Enter an op in the registry.

    Raises:
        AssertionError: the name is taken (a fault of this program).
    """
    assert op.name not in OPS, f"op {op.name} is registered twice"
    OPS[op.name] = op
    return op


def primitive(name: str, array: Callable[..., Any], vjps: Sequence[Rule | None] | None, **record: Any) -> Op:
    """Define and register an op (see `Op` for the fields)."""
    return register(Op(name, array, vjps, **record))


def pointwise(
    name: str,
    scalar: Callable[..., float] | None,
    array: Callable[..., Any],
    vjp: Sequence[Rule | None] | None,
    *,
    policy: str | None = "promote",
    **record: Any,
) -> Op:
    """Define and register an op that works entry by entry, with broadcasting."""
    return register(Op(name, array, vjp, scalar=scalar, policy=policy, **record))


# --- public functions ---------------------------------------------------------------------------------------------


class Function:
    """A name that programs can call: PyTorch's signature over the primitives.

    `places`: where it is found: "torch", "Tensor" (a method), "F" (torch.nn.functional), "linalg", "special", "autograd",
    "func", "autograd.functional". A bare name in a program finds what "torch", "F" and "special" have. `stand_in`: the
    module that has it is not loaded; see families.py.
    """

    __slots__ = ("about", "call", "in_place", "name", "names", "numbers", "ops", "places", "stand_in")

    def __init__(
        self,
        call: Callable[..., Any],
        names: tuple[str, ...],
        places: tuple[str, ...],
        ops: tuple[Op, ...],
        about: str,
        numbers: bool,
        in_place: bool,
        stand_in: bool = False,
    ) -> None:
        self.stand_in = stand_in
        self.call = call
        self.names = names
        self.name = names[0]
        self.places = places
        self.ops = ops
        self.about = about
        self.numbers = numbers  # a bare call accepts plain numbers in place of tensors
        self.in_place = in_place  # there is a method with a trailing underscore, too

    def __repr__(self) -> str:
        return f"<function {self.name}>"


FUNCTIONS: dict[tuple[str, str], Function] = {}


def public(
    *names: str,
    places: tuple[str, ...] = ("torch", "Tensor"),
    ops: tuple[Op, ...] = (),
    about: str = "",
    numbers: bool = False,
    in_place: bool = False,
) -> Callable[[Called], Called]:
    """Register a function under its names (the first is the canonical one, the others aliases) in its places.

    Parameters are named as PyTorch names them (the tensor `input`), so keywords in programs work as they stand.
    """

    def enter(call: Called) -> Called:
        call.__name__ = call.__qualname__ = names[0]  # what Python's messages about arguments call it
        words = about or (call.__doc__ or "").split("\n")[0]
        function = Function(held(call), names, places, ops, words, numbers, in_place)
        other = function  # as a function of torch, where that takes sizes in another way than the method
        if call.__code__.co_flags & 0x04 and "torch" in places and "Tensor" in places:
            other = Function(in_one(function.call), names, places, ops, words, numbers, in_place)
        for place in places:
            for name in names:
                before = FUNCTIONS.get((place, name))
                assert before is None or before.stand_in, f"{place}.{name} is registered twice"
                FUNCTIONS[place, name] = other if place == "torch" else function
        return call

    return enter
