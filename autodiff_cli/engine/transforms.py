"""torch.func: grad, grad_and_value, vjp, jvp, linearize (Jacobians are in jacobians.py, vmap in vmap.py).

Everything is reverse mode. A forward derivative is the derivative of the backward pass with respect to its
cotangent: u -> J.mT u is linear, and its own vjp is v -> J v, wherever u is; so no operation needs a forward
rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autodiff_cli.engine.apply import attach, is_floating
from autodiff_cli.engine.levels import (
    Derived,
    Level,
    chosen,
    derived,
    differentiate,
    entered_at,
    left,
    outputs_of,
    parted,
    require_floating_outputs,
    zeros_like,
)
from autodiff_cli.engine.node import make_leaf
from autodiff_cli.engine.ops.cutting import alias_op
from autodiff_cli.engine.pytree import LEAF, Structure, flatten, unflatten
from autodiff_cli.engine.registry import Op, primitive, public
from autodiff_cli.engine.tangents import forward_walk
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, current_node, wrap
from autodiff_cli.errors import RuntimeFault, ValueFault

Function = Callable[..., Any]
FUNC = ("func",)


# --- gradients ----------------------------------------------------------------------------------------------


@public("grad_and_value", places=FUNC)
def grad_and_value(func: Function, argnums: Any = 0, has_aux: bool = False) -> Function:
    """The function that returns (gradient, value), or (gradient, (value, aux)), of a scalar function.

    Raises (when the result is called):
        RuntimeFault: an output that is no 0-d tensor, an integer argument, an argnums that names no argument.
        ValueFault: an argument that is no tensor.
    """
    what = "grad"

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        at, single = chosen(argnums, args, what)
        level = Level()
        try:
            entered, structure = entered_at(level, args, at, what)
            output, aux = parted(level.run(func, entered, kwargs), has_aux, what)
            _require_scalar(output)
            record = level.recorded and (level.tied or level.outside(output))
            gradients = level.pull([output], [None], record)
        finally:
            level.close()
        found = unflatten(structure, [level.leave(g) for g in gradients])
        gradient = found[0] if single else found
        value = level.leave(output)
        return (gradient, (value, left(level, aux, what))) if has_aux else (gradient, value)

    return derived(wrapper, func)


def _require_scalar(output: Any) -> None:
    if not isinstance(output, Tensor):
        raise RuntimeFault(f"grad: the function must return a tensor, not {type(output).__name__}")
    if output.ndim:
        raise RuntimeFault(
            f"grad: the function must return a 0-d tensor; its output has shape {tuple(output.shape)}",
            hint="reduce it, as with .sum(); or use jacrev for all derivatives",
        )


@public("grad", places=FUNC)
def grad(func: Function, argnums: Any = 0, has_aux: bool = False) -> Function:
    """The function that returns the gradient of a scalar function with respect to the arguments `argnums`.

    Raises (when the result is called): as grad_and_value.
    """
    both = grad_and_value(func, argnums, has_aux)

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        gradient, value = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return derived(wrapper, func)


@public("vjp", places=FUNC)
def vjp(func: Function, *primals: Any, has_aux: bool = False) -> Any:
    """The output and a function for vector-Jacobian products: (output, vjp_fn) or (output, vjp_fn, aux).

    `vjp_fn(cotangents)`, of the structure of the output, gives a tuple with the product for each primal.

    Raises:
        RuntimeFault: outputs that are no floating tensors, integer primals; in vjp_fn, cotangents of another
            structure or shape than the outputs.
    """
    what = "vjp"
    level = Level()
    try:
        entered, structure = entered_at(level, primals, tuple(range(len(primals))), what)
        output, aux = parted(level.run(func, entered), has_aux, what)
        outputs, out_structure = outputs_of(output, what)
        require_floating_outputs(outputs, what)
    finally:
        level.close()

    def vjp_fn(cotangents: Any, *more: Any) -> Any:
        if more:  # those of several outputs come as the outputs do, in one tuple
            cotangents = [cotangents, *more]
        weights = _cotangents(cotangents, outputs, out_structure, what)
        level.reopen()
        try:
            record = tape.grad_enabled and level.outside(*outputs, *weights)
            return unflatten(structure, [_kept(level, g, record) for g in level.pull(outputs, weights, record, True)])
        finally:
            level.close()

    result = unflatten(out_structure, [level.leave(t) for t in outputs])
    pull = Derived(vjp_fn, "vjp_fn")
    return (result, pull, left(level, aux, what)) if has_aux else (result, pull)


def _kept(level: Level, t: Tensor, record: bool) -> Tensor:
    return t if record and level.outside(t) else wrap(t.value)


def _cotangents(tree: Any, outputs: Sequence[Tensor], structure: Structure, what: str) -> list[Any]:
    weights, found = flatten(tree)
    if found != structure:
        raise RuntimeFault(
            f"{what}: the cotangents must have the structure of the outputs, "
            f"{_describe(structure)}; they have {_describe(found)}"
        )
    for v, y in zip(weights, outputs, strict=True):
        if isinstance(v, Tensor) and tuple(v.shape) != tuple(y.shape):
            raise RuntimeFault(f"{what}: a cotangent has shape {tuple(v.shape)} and its output {tuple(y.shape)}")
    return weights


def _describe(structure: Structure) -> str:
    if structure is LEAF:
        return "*"
    kind, keys, parts = structure
    inner = [_describe(part) for part in parts]
    if kind is dict:
        return "{" + ", ".join(f"{key!r}: {part}" for key, part in zip(keys, inner, strict=True)) + "}"
    return f"[{', '.join(inner)}]" if kind is list else f"({', '.join(inner)}{',' * (len(inner) == 1)})"


# the operation -> the last step of its forward formula, where that has another name
LAST_STEPS = {
    **dict.fromkeys(("MulBackward0", "MmBackward0", "MvBackward0", "DotBackward0", "BmmBackward0"), "AddBackward0"),
    **dict.fromkeys(("MaxBackward1", "MinBackward1", "MedianBackward0"), "SumBackward0"),
}
_constant = primitive(
    "constant_derivative",
    lambda y, _x: y,
    [lambda g, _y, _j, _x: g, lambda _g, _y, _j, _x: 0.0],
    grad_fn="ViewBackward0",
    about="a constant derivative on the graph of its argument",
)
_untied: dict[str, Op] = {}


def untied(grad_fn: str) -> Op:
    """The operation (y, x) -> y that leaves a constant derivative on the graph of x, with nothing to give it."""
    found = _untied.get(grad_fn)
    if found is None:
        found = Op(_constant.name, _constant.array, _constant.vjps, grad_fn=grad_fn, about=_constant.about)
        _untied[grad_fn] = found
    return found


# --- forward derivatives ------------------------------------------------------------------------------------


class Forward:
    """A function's outputs at a point and what pushes tangents through: the backward pass as a function of cotangents.

    `pulled[k]` are the cotangents of the inputs that output k's dummy cotangent `dummies[k]` gives.
    """

    def __init__(self, level: Level, outputs: Sequence[Tensor]) -> None:
        self.level = level
        self.outputs = outputs
        self.dummies: list[Tensor | None] = []
        self.pulled: list[Sequence[Tensor | None]] = []
        for y in outputs:
            if current_node(y) is None:
                self.dummies.append(None)
                self.pulled.append(())
                continue
            dummy = zeros_like(y)
            dummy.node = make_leaf(dummy.value)
            with tape.grad_mode(True), forward_walk():
                cotangents = differentiate(y, level.targets, dummy, create_graph=True, allow_unused=True)
            self.dummies.append(dummy)
            self.pulled.append(cotangents)

    def push(self, tangents: Sequence[Tensor | None], record: bool) -> list[Tensor]:
        """The outputs' tangents from those of the inputs (None: 0)."""
        found = []
        for y, dummy, pulled in zip(self.outputs, self.dummies, self.pulled, strict=True):
            pairs = [
                (p, t)
                for p, t in zip(pulled, tangents, strict=False)
                if p is not None and t is not None and current_node(p) is not None
            ]
            if dummy is None or not pairs:
                found.append(zeros_like(y))
                continue
            ps, ts = zip(*pairs, strict=True)
            with forward_walk():
                (tangent,) = differentiate(
                    ps,
                    dummy,
                    ts,
                    retain_graph=True,
                    create_graph=record,
                    allow_unused=True,
                    materialize_grads=True,
                )
            found.append(zeros_like(y) if tangent is None else tangent)
        return found


def check_primals(primals: Any, what: str) -> None:
    if not isinstance(primals, tuple):
        raise RuntimeFault(f"{what}: the primals are a tuple of arguments, not {type(primals).__name__}")
    leaves = flatten(primals)[0]
    if not leaves:
        raise RuntimeFault(f"{what}: the primals must contain at least one tensor")
    for t in leaves:
        if isinstance(t, Tensor) and not is_floating(t.value):
            raise ValueFault(f"{what}: the primals must be floating tensors; one is {t.dtype}")


def _tangents(primals: Any, tangents: Any, what: str) -> list[Tensor]:
    """The tangents, which must have the structure and shapes of the primals."""
    leaves, structure = flatten(primals)
    found, other = flatten(tangents)
    if structure != other:
        raise RuntimeFault(
            f"{what}: the tangents must have the structure of the primals, "
            f"{_describe(structure)}; they have {_describe(other)}"
        )
    fitted = []
    for t, v in zip(leaves, found, strict=True):
        if not isinstance(v, Tensor):
            raise ValueFault(f"{what}: a tangent must be a tensor, not {type(v).__name__}")
        if tuple(v.shape) != tuple(t.shape):
            raise RuntimeFault(f"{what}: a tangent has shape {tuple(v.shape)} and its primal {tuple(t.shape)}")
        fitted.append(v)
    return fitted


@public("jvp", places=FUNC)
def jvp(func: Function, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False) -> Any:
    """(output, tangent of the output) or (output, tangent, aux): the Jacobian-vector product.

    Raises:
        RuntimeFault: primals or tangents of another structure or shape, outputs that are no tensors, with
            `strict` an output that does not depend on the primals.
        ValueFault: integer primals.
    """
    what = "jvp"
    check_primals(primals, what)
    level = Level(forward=True)
    try:
        entered, _ = entered_at(level, primals, tuple(range(len(primals))), what)
        vectors = _tangents(primals, tangents, what)
        output, aux = parted(level.run(func, entered), has_aux, what)
        outputs, structure = outputs_of(output, what)
        if strict and any(current_node(y) is None for y in outputs):
            raise RuntimeFault(f"{what}: an output does not depend on the primals, which strict=True forbids")
        record = level.recorded and (level.tied or level.outside(*outputs, *vectors))
        pushed = Forward(level, outputs).push(vectors, record)
        if level.recorded and level.tied:
            pushed = [_tied(level, y, t) for y, t in zip(outputs, pushed, strict=True)]
    finally:
        level.close()
    value = unflatten(structure, [_aliased(level, t) for t in outputs])
    tangent = unflatten(structure, [level.leave(t) for t in pushed])
    return (value, tangent, left(level, aux, what)) if has_aux else (value, tangent)


def _tied(level: Level, y: Tensor, tangent: Tensor) -> Tensor:
    """A tangent that is constant is on the graph to PyTorch where an operation's formula reads what requires a gradient.

    Its name is that of the last formula's last step: a sum, for a product.
    """
    node = current_node(y)
    if node is None or tangent.node is not None or not is_floating(tangent.value):
        return tangent
    for x, origin in zip(level.targets, level.origins, strict=True):
        if origin is not None and level.reads(y, x):
            name = node.op.grad_fn
            return attach(wrap(tangent.value), untied(LAST_STEPS.get(name, name)), (tangent, x), {})
    return tangent


def _aliased(level: Level, t: Tensor) -> Tensor:
    """An output of jvp: PyTorch unpacks it from a dual number, by an alias."""
    left = level.leave(t)
    return left if left.node is None else alias_op(left)


@public("linearize", places=FUNC)
def linearize(func: Function, *primals: Any) -> Any:
    """(output, jvp_fn): `jvp_fn(*tangents)` is the Jacobian-vector product at the primals.

    Raises: as jvp.
    """
    what = "linearize"
    check_primals(primals, what)
    level = Level(forward=True)
    try:
        entered, _ = entered_at(level, primals, tuple(range(len(primals))), what)
        outputs, structure = outputs_of(level.run(func, entered), what)
        forward = Forward(level, outputs)
    finally:
        level.close()

    def jvp_fn(*tangents: Any) -> Any:
        vectors = _tangents(primals, tangents, what)
        level.reopen()
        try:
            record = tape.grad_enabled and level.outside(*outputs, *vectors)
            return unflatten(structure, [_kept(level, t, record) for t in forward.push(vectors, record)])
        finally:
            level.close()

    return unflatten(structure, [level.leave(t) for t in outputs]), Derived(jvp_fn, "jvp_fn")
