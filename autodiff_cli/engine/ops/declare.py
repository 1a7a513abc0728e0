"""What the families of operations share: how a public function is declared, and what an array form refuses.

`floating` registers the commonest kind of op; `unary` and `binary` make the plain functions (`sin(input)`,
`hypot(input, other)`) from their ops, so a family writes by hand only the functions whose signature is their own.

Invariant: a function made here takes tensors, and plain numbers only where PyTorch takes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import tensor_arg, type_name
from autodiff_cli.engine.inplace import FORMS
from autodiff_cli.engine.node import NO_PARAMS
from autodiff_cli.engine.registry import Op, pointwise, primitive, public
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import Fault, NotImplementedFault, RuntimeFault, TypeFault

NUMBERS = (float, int, bool)
METHOD = ("torch", "Tensor")

# domains that the tests draw from
TWO = ((-2.0, 2.0), (-2.0, 2.0))
POSITIVE = ((0.3, 3.0),)


def zero(_g: Any, _y: Any, _x: Any, **_params: Any) -> float:
    """The rule of a piecewise constant function."""
    return 0.0


def floating(
    name: str,
    scalar: Callable[..., float] | None,
    array: Callable[..., Any],
    rule: Callable[..., Any],
    about: str,
    **record: Any,
) -> Op:
    """Register a one-operand op whose result is floating for every dtype."""
    return pointwise(name, scalar, array, [rule], policy="float", about=about, **record)


def named(call: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The function under the name that messages call it by."""
    call.__name__ = call.__qualname__ = name
    return call


def unary(
    op: Op,
    *names: str,
    places: tuple[str, ...] = METHOD,
    special: tuple[str, ...] = (),
    in_place: bool = True,
) -> Callable[..., Any]:
    """Declare the function of a one-operand op; `special`: what torch.special calls it."""
    name = names[0]

    def call(input: Any) -> Tensor:
        return apply(op, (input if type(input) is Tensor else tensor_arg(input, name),), NO_PARAMS)

    named(call, name)
    call.scalar_op = op if op.scalar is not None and op.vjps is not None else None  # type: ignore[attr-defined]
    public(*names, places=places, ops=(op,), about=op.about, numbers=True, in_place=in_place)(call)
    if special:
        public(*special, places=("special",), ops=(op,), about=op.about, numbers=True)(call)
    return call


def binary(
    op: Op,
    *names: str,
    number: Op | None = None,
    first_number: Op | None = None,
    places: tuple[str, ...] = METHOD,
    special: tuple[str, ...] = (),
    in_place: bool = True,
    check: Callable[[str, Any, Any], None] | None = None,
) -> Callable[..., Any]:
    """Declare the function of a two-operand op.

    `number` is the op to use where the second operand is a plain number, `first_number` where the first is
    (None: a number is refused there). `check(name, input, other)` may refuse operands.
    """
    name = names[0]

    def call(input: Any, other: Any) -> Tensor:
        chosen = op
        if type(other) is not Tensor:
            chosen = number  # type: ignore[assignment]
            if chosen is None or type(other) not in NUMBERS:
                other = tensor_arg(other, name, "other")
        if type(input) is not Tensor:
            chosen = first_number  # type: ignore[assignment]
            if chosen is None or type(input) not in NUMBERS or type(other) is not Tensor:
                input = tensor_arg(input, name)
        if check is not None:
            check(name, input, other)
        return apply(chosen, (input, other), NO_PARAMS)

    named(call, name)
    ops = tuple(o for o in (op, number, first_number) if o is not None)
    public(*names, places=places, ops=tuple(dict.fromkeys(ops)), about=op.about, numbers=True, in_place=in_place)(call)
    if special:
        public(*special, places=("special",), ops=ops, about=op.about, numbers=True)(call)
    return call


def tensor_or_number(x: Any, function: str, name: str = "other") -> Any:
    """The argument, which must be a tensor or a plain number.

    Raises:
        TypeFault: it is something else.
    """
    if type(x) is Tensor or type(x) in NUMBERS:
        return x
    raise TypeFault(f"{function}: the argument '{name}' must be a tensor or a number, not {type_name(x)}")


def number_arg(x: Any, function: str, name: str) -> Any:
    """The argument as a plain number; a tensor of one element gives its element, as PyTorch lets it.

    Raises:
        TypeFault: it is something else.
    """
    if type(x) in NUMBERS:
        return x
    if type(x) is Tensor and x.ndim == 0 and not x.requires_grad:
        return x.item()
    raise TypeFault(f"{function}: the argument '{name}' must be a number, not {type_name(x)}")


# --- dtypes that an array form refuses ------------------------------------------------------------

_KINDS = {float: "f", int: "i", bool: "b"}


def kind(value: Any) -> str:
    """The kind of a raw value's dtype: "f", "i", "u" or "b"."""
    found = _KINDS.get(type(value))
    return found if found is not None else value.dtype.kind


_KIND_NAMES = {"f": "floating point", "i": "integer", "u": "integer", "b": "bool"}


def takes(
    kinds: str, name: str, array: Callable[..., Any], fault: type[Fault] = NotImplementedFault
) -> Callable[..., Any]:
    """The array form of an op that PyTorch has for some kinds of dtype only ("f", "fi", "ib").

    Raises (when run):
        NotImplementedFault: an operand has another kind (or the `fault` given, where PyTorch raises another).
    """

    def guarded(*xs: Any, **params: Any) -> Any:
        for x in xs:
            k = kind(x)
            if k not in kinds and not (k == "u" and "i" in kinds):
                wanted = " or ".join(_KIND_NAMES[k] for k in kinds)
                raise fault(
                    f"{name} is not defined for {_KIND_NAMES[k]} tensors",
                    hint=f"it takes {wanted} ones: convert first, as with x.double()" if "f" in kinds else None,
                )
        return array(*xs, **params)

    return guarded


def floating_check(name: str, a: Any, b: Any) -> None:
    """Raises NotImplementedFault when neither operand is floating (see `binary`)."""
    if kind(a.value) != "f" and kind(b.value) != "f":
        raise NotImplementedFault(
            f"{name} is not defined for integer tensors", hint="convert them first, as with x.double()"
        )


def no_rule(name: str, fault: type[Fault] = RuntimeFault) -> Callable[..., Any]:
    """The rule of an operation that PyTorch gives no derivative.

    Raises (when run):
        RuntimeFault: always (or the `fault` given, where PyTorch raises another).
    """

    def rule(_g: Any, _y: Any, *_xs: Any, **_params: Any) -> Any:
        raise fault(
            f"{name} has no derivative: PyTorch does not implement one",
            hint="detach() its operand if the result is not to be differentiated",
        )

    return rule


def refuse_flags(function: str, *xs: Any) -> None:
    """In a rule whose formula subtracts its operands, which bool tensors refuse in PyTorch.

    Raises:
        RuntimeFault: an operand is bool.
    """
    for x in xs:
        v = x.value if type(x) is Tensor else x
        if type(v) is bool or getattr(getattr(v, "dtype", None), "kind", "") == "b":
            raise RuntimeFault(
                f"{function} has no derivative where an operand is bool, in PyTorch either",
                hint="convert it first, as with x.double()",
            )


def form_in_place(op: Op, rules: Sequence[Any] | None = None) -> Op:
    """The op under the name of PyTorch's node for it in place (`EluBackward1`), with other rules where those differ."""
    form = primitive(
        f"{op.name}_in_place",
        op.array,
        op.vjps if rules is None else rules,
        scalar=op.scalar,
        policy=op.policy,
        grad_fn=op.grad_fn.removesuffix("0") + "1",
        domain=op.domain,
        kinks=op.kinks,
        formulas=op.formulas,
        about=op.about,
    )
    FORMS[op] = form
    return form


NOT_IMPLEMENTED = "torch::autograd::NotImplemented"
