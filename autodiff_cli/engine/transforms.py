"""torch.func: grad, grad_and_value, vjp, jvp, linearize, jacrev, jacfwd, hessian (vmap is in vmap.py).

Everything is reverse mode. A forward derivative is the derivative of the backward pass with respect to its cotangent:
u -> J.mT u is linear, and its own vjp is v -> J v, wherever u is; so no operation needs a forward rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autodiff_cli.engine import autograd
from autodiff_cli.engine.apply import attach, is_floating
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.levels import Level, zeros_like
from autodiff_cli.engine.node import make_leaf
from autodiff_cli.engine.ops.cutting import alias_op
from autodiff_cli.engine.ops.joining import stack_op
from autodiff_cli.engine.ops.structure import reshape_to
from autodiff_cli.engine.pytree import LEAF, Structure, flatten, unflatten
from autodiff_cli.engine.registry import primitive, public, settle
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, current_node, wrap
from autodiff_cli.errors import RuntimeFault, ValueFault

Function = Callable[..., Any]
FUNC = ("func",)


# --- arguments and results ----------------------------------------------------------------------------------------


def _chosen(argnums: Any, args: Sequence[Any], what: str) -> tuple[tuple[int, ...], bool]:
    """The positions that `argnums` names, and whether it is a single one.

    Raises:
        RuntimeFault: no such position, one named twice, none, or no int or tuple of ints.
    """
    single = isinstance(argnums, int)
    if not single and not (isinstance(argnums, tuple) and all(isinstance(i, int) for i in argnums)):
        raise RuntimeFault(f"{what}: argnums is an int or a tuple of ints, not {argnums!r}")
    given = (argnums,) if single else argnums
    if not given:
        raise RuntimeFault(f"{what}: argnums is empty")
    for i in given:
        if not -len(args) <= i < len(args):
            raise RuntimeFault(
                f"{what}: argnums names argument {i}, and there are {len(args)} positional ones",
                hint="count from 0; what is differentiated can't be a keyword argument",
            )
    found = tuple(i % len(args) for i in given)
    if len(set(found)) != len(found):
        raise RuntimeFault(f"{what}: argnums names an argument twice: {argnums!r}")
    return found, single


def _entered(level: Level, args: Sequence[Any], at: tuple[int, ...], what: str) -> tuple[list[Any], Structure]:
    """The arguments with fresh leaves at the positions `at`, and the structure of those positions."""
    leaves, structure = flatten(tuple(args[i] for i in at))
    fresh = unflatten(structure, [level.enter(t, what) for t in leaves])
    entered = list(args)
    for i, value in zip(at, fresh, strict=True):
        entered[i] = value
    return entered, structure


def _parted(result: Any, has_aux: bool, what: str) -> tuple[Any, Any]:
    """The output and the auxiliary part of a function's result."""
    if not has_aux:
        return result, None
    if not isinstance(result, tuple) or len(result) != 2:
        raise RuntimeFault(f"{what}: with has_aux=True the function returns a pair: the output, and what goes with it")
    return result[0], result[1]


def _left(level: Level, tree: Any, what: str) -> Any:
    """A tree of tensors as it is outside the level."""
    leaves, structure = flatten(tree)
    for t in leaves:
        if not isinstance(t, Tensor):
            raise RuntimeFault(f"{what}: the function must return only tensors, not {type(t).__name__}")
    return unflatten(structure, [level.leave(t) for t in leaves])


def _outputs(tree: Any, what: str) -> tuple[list[Tensor], Structure]:
    leaves, structure = flatten(tree)
    for t in leaves:
        if not isinstance(t, Tensor):
            raise RuntimeFault(
                f"{what}: the function must return only tensors, not {type(t).__name__}",
                hint="return a tensor, or several in tuples, lists or dicts",
            )
    return leaves, structure


def _floating(outputs: Sequence[Tensor], what: str) -> None:
    for t in outputs:
        if not is_floating(t.value):
            raise RuntimeFault(f"{what}: the function's outputs must be floating; one is {t.dtype}")


def _titled(wrapper: Function, func: Function) -> Function:
    wrapper.__name__ = getattr(func, "__name__", "function")
    return wrapper


# --- gradients ----------------------------------------------------------------------------------------------------


@public("grad_and_value", places=FUNC)
def grad_and_value(func: Function, argnums: Any = 0, has_aux: bool = False) -> Function:
    """The function that returns (gradient, value), or (gradient, (value, aux)), of a scalar function.

    Raises (when the result is called):
        RuntimeFault: an output that is no 0-d tensor, an integer argument, an argnums that names no argument.
        ValueFault: an argument that is no tensor.
    """
    what = "grad"

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        at, single = _chosen(argnums, args, what)
        level = Level()
        try:
            entered, structure = _entered(level, args, at, what)
            output, aux = _parted(level.run(func, entered, kwargs), has_aux, what)
            _require_scalar(output)
            record = level.recorded and (level.tied or level.outside(output))
            gradients = level.pull([output], [None], record)
        finally:
            level.close()
        found = unflatten(structure, [level.leave(g) for g in gradients])
        gradient = found[0] if single else found
        value = level.leave(output)
        return (gradient, (value, _left(level, aux, what))) if has_aux else (gradient, value)

    return _titled(wrapper, func)


def _require_scalar(output: Any) -> None:
    if not isinstance(output, Tensor):
        raise RuntimeFault(f"grad: the function must return a tensor, not {type(output).__name__}")
    if output.ndim:
        raise RuntimeFault(
            f"grad: the function must return a scalar (0-d) tensor; its output has shape {tuple(output.shape)}",
            hint="reduce it, as with .sum(); or use jacrev for all derivatives, vjp for a weighted sum of them",
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

    return _titled(wrapper, func)


@public("vjp", places=FUNC)
def vjp(func: Function, *primals: Any, has_aux: bool = False) -> Any:
    """(output, vjp_fn) or (output, vjp_fn, aux): `vjp_fn(cotangents)` gives the vector-Jacobian products as a tuple.

    Raises:
        RuntimeFault: outputs that are no floating tensors, integer primals; in vjp_fn, cotangents of another structure
            or shape than the outputs.
    """
    what = "vjp"
    level = Level()
    try:
        entered, structure = _entered(level, primals, tuple(range(len(primals))), what)
        output, aux = _parted(level.run(func, entered), has_aux, what)
        outputs, out_structure = _outputs(output, what)
        _floating(outputs, what)
    finally:
        level.close()

    def vjp_fn(cotangents: Any) -> Any:
        weights = _cotangents(cotangents, outputs, out_structure, what)
        level.reopen()
        try:
            record = tape.grad_enabled and level.outside(*outputs, *weights)
            return unflatten(structure, [_kept(level, g, record) for g in level.pull(outputs, weights, record, True)])
        finally:
            level.close()

    result = unflatten(out_structure, [level.leave(t) for t in outputs])
    return (result, vjp_fn, _left(level, aux, what)) if has_aux else (result, vjp_fn)


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


# --- forward derivatives ----------------------------------------------------------------------------------------------


class _Forward:
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
            with tape.grad_mode(True):
                cotangents = autograd.grad(y, level.targets, dummy, create_graph=True, allow_unused=True)
            self.dummies.append(dummy)
            self.pulled.append(cotangents)

    def push(self, tangents: Sequence[Tensor], record: bool) -> list[Tensor]:
        """The outputs' tangents from those of the inputs."""
        found = []
        for y, dummy, pulled in zip(self.outputs, self.dummies, self.pulled, strict=True):
            pairs = [
                (p, t) for p, t in zip(pulled, tangents, strict=False) if p is not None and current_node(p) is not None
            ]
            if dummy is None or not pairs:
                found.append(zeros_like(y))
                continue
            ps, ts = zip(*pairs, strict=True)
            (tangent,) = autograd.grad(
                ps, dummy, ts, retain_graph=True, create_graph=record, allow_unused=True, materialize_grads=True
            )
            found.append(tangent)
        return found


def _primals(primals: Any, what: str) -> None:
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
        RuntimeFault: primals or tangents of another structure or shape, outputs that are no tensors, with `strict` an
            output that does not depend on the primals.
        ValueFault: integer primals.
    """
    what = "jvp"
    _primals(primals, what)
    level = Level()
    try:
        entered, _ = _entered(level, primals, tuple(range(len(primals))), what)
        vectors = _tangents(primals, tangents, what)
        output, aux = _parted(level.run(func, entered), has_aux, what)
        outputs, structure = _outputs(output, what)
        if strict and any(current_node(y) is None for y in outputs):
            raise RuntimeFault(f"{what}: an output does not depend on the primals, which strict=True forbids")
        record = level.recorded and (level.tied or level.outside(*outputs, *vectors))
        pushed = _Forward(level, outputs).push(vectors, record)
    finally:
        level.close()
    value = unflatten(structure, [_aliased(level, t) for t in outputs])
    tangent = unflatten(structure, [level.leave(t) for t in pushed])
    return (value, tangent, _left(level, aux, what)) if has_aux else (value, tangent)


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
    _primals(primals, what)
    level = Level()
    try:
        entered, _ = _entered(level, primals, tuple(range(len(primals))), what)
        outputs, structure = _outputs(level.run(func, entered), what)
        forward = _Forward(level, outputs)
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

    return unflatten(structure, [level.leave(t) for t in outputs]), jvp_fn


# --- Jacobians ------------------------------------------------------------------------------------------------------


def basis(t: Tensor) -> list[Tensor]:
    """The unit tensors of a tensor's shape and dtype, in row order."""
    if type(t.value) is float:
        return [wrap(1.0)]
    units = []
    for i in range(t.value.size):
        unit = np.zeros(t.value.size, t.value.dtype)
        unit[i] = 1.0
        units.append(wrap(settle(unit.reshape(t.value.shape))))
    return units


def _stacked(parts: Sequence[Tensor], shape: tuple[int, ...], like: Tensor, last: bool = False) -> Tensor:
    """Rows (with `last`, columns) of a Jacobian as one tensor of `shape`."""
    if not parts:
        return wrap(np.zeros(shape, "float64" if type(like.value) is float else like.value.dtype))
    if all(p.node is None for p in parts):
        value = np.stack([np.asarray(p.value) for p in parts], axis=-1 if last else 0)
        return wrap(settle(value.reshape(shape)))
    return reshape_to(stack_op(*parts, dim=parts[0].ndim if last else 0), shape=shape)


@public("jacrev", places=FUNC)
def jacrev(
    func: Function,
    argnums: Any = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Function:
    """The function that returns the Jacobian, a row at a time in reverse mode: shape of the output + shape of the input.

    Results nest as the outputs do, and inside that as the arguments. Raises (when the result is called): as vjp.
    """
    what = "jacrev"
    if chunk_size is not None and chunk_size <= 0:
        raise ValueFault(f"{what}: chunk_size must be positive, not {chunk_size}")

    def wrapper(*args: Any) -> Any:
        at, single = _chosen(argnums, args, what)
        level = Level()
        try:
            entered, structure = _entered(level, args, at, what)
            output, aux = _parted(level.run(func, entered), has_aux, what)
            outputs, out_structure = _outputs(output, what)
            _floating(outputs, what)
            record = level.recorded and (level.tied or level.outside(*outputs))
            with tape.grad_mode(record):
                rows = [[level.pull([y], [unit], record, True) for unit in basis(y)] for y in outputs]
                found = [
                    [
                        _stacked([row[k] for row in block], (*y.shape, *x.shape), x)
                        for k, x in enumerate(level.targets)
                    ]
                    for y, block in zip(outputs, rows, strict=True)
                ]
        finally:
            level.close()
        return _nested(level, found, structure, out_structure, single, aux, has_aux, what)

    return _titled(wrapper, func)


def _nested(
    level: Level,
    found: Sequence[Sequence[Tensor]],
    structure: Structure,
    out_structure: Structure,
    single: bool,
    aux: Any,
    has_aux: bool,
    what: str,
) -> Any:
    """Blocks (output, input) as the outputs nest, and in each as the arguments do."""
    blocks = []
    for block in found:
        inner = unflatten(structure, [level.leave(t) for t in block])
        blocks.append(inner[0] if single else inner)
    jacobian = unflatten(out_structure, blocks)
    return (jacobian, _left(level, aux, what)) if has_aux else jacobian


# what PyTorch's forward mode leaves on a Jacobian of a function whose derivative is constant: it is on the graph of an
# input that requires a gradient, with nothing to give it
_untied_view, _untied_squeeze = (
    primitive(
        f"constant_jacobian_{name.lower()}",
        lambda y, _x: np.array(y, copy=True),
        [lambda g, _y, _j, _x: g, lambda _g, _y, _j, _x: 0.0],
        grad_fn=f"{name}Backward{number}",
        about="a constant Jacobian on the graph of its argument",
    )
    for name, number in (("View", 0), ("Squeeze", 1))
)
_squeezed = primitive(
    "jacobian_column",
    lambda y, *, shape: np.reshape(y, shape).copy(),
    [lambda g, _y, like_j, *, shape: reshape_to(g, shape=like_j.shape)],
    grad_fn="SqueezeBackward1",
    about="the one column of the Jacobian of a function of a number",
)


@public("jacfwd", places=FUNC)
def jacfwd(func: Function, argnums: Any = 0, has_aux: bool = False, *, randomness: str = "error") -> Function:
    """The function that returns the Jacobian, a column at a time by Jacobian-vector products; nested as jacrev's.

    Raises (when the result is called): as jvp.
    """
    what = "jacfwd"

    def wrapper(*args: Any) -> Any:
        at, single = _chosen(argnums, args, what)
        _primals(tuple(args[i] for i in at), what)
        level = Level()
        try:
            entered, structure = _entered(level, args, at, what)
            output, aux = _parted(level.run(func, entered), has_aux, what)
            outputs, out_structure = _outputs(output, what)
            record = level.recorded and (level.tied or level.outside(*outputs))
            with tape.grad_mode(record):
                found = _columns(level, _Forward(level, outputs), record)
        finally:
            level.close()
        return _nested(level, found, structure, out_structure, single, aux, has_aux, what)

    return _titled(wrapper, func)


def _columns(level: Level, forward: _Forward, record: bool) -> list[list[Tensor]]:
    """Blocks (output, input), each stacked from its columns."""
    zeros = [zeros_like(x) for x in level.targets]
    found: list[list[Tensor]] = [[] for _ in forward.outputs]
    for k, x in enumerate(level.targets):
        columns = [forward.push([*zeros[:k], unit, *zeros[k + 1 :]], record) for unit in basis(x)]
        for i, y in enumerate(forward.outputs):
            shape = (*y.shape, *x.shape)
            parts = [column[i] for column in columns]
            block = parts[0] if x.ndim == 0 else _stacked(parts, shape, y, last=True)
            depends = forward.dummies[i] is not None and forward.pulled[i][k] is not None
            found[i].append(_named_block(level, block, x, level.origins[k] if depends else None))
    return found


def _named_block(level: Level, block: Tensor, x: Tensor, origin: Any) -> Tensor:
    """A block under the name that PyTorch's last step leaves; tied to an input that requires a gradient outside."""
    if block.node is not None:
        return _squeezed(block, shape=block.shape) if x.ndim == 0 else block
    if origin is None or not is_floating(block.value):
        return block
    op = _untied_squeeze if x.ndim == 0 else _untied_view
    return attach(wrap(block.value), op, (block, x), {})


@public("hessian", places=FUNC)
def hessian(func: Function, argnums: Any = 0) -> Function:
    """The function that returns the matrix of second derivatives: jacfwd(jacrev(func)).

    Raises (when the result is called): as jacrev.
    """
    return jacfwd(jacrev(func, argnums), argnums)
