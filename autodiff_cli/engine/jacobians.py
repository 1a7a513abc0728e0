"""torch.func: jacrev, jacfwd, hessian."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autodiff_cli.engine.apply import attach, check_size, is_floating
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.levels import (
    Level,
    chosen,
    derived,
    entered_at,
    left,
    outputs_of,
    parted,
    require_floating_outputs,
)
from autodiff_cli.engine.ops.joining import stack_op
from autodiff_cli.engine.ops.structure import reshape_to
from autodiff_cli.engine.pytree import Structure, unflatten
from autodiff_cli.engine.registry import primitive, public, settle, shape_of
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.engine.transforms import Forward, check_primals, untied
from autodiff_cli.errors import ValueFault

Function = Callable[..., Any]
FUNC = ("func",)


# --- Jacobians ----------------------------------------------------------------------------------------------


def basis(t: Tensor) -> Iterator[Tensor]:
    """The unit tensors of a tensor's shape and dtype, in row order, one at a time."""
    if type(t.value) is float:
        yield wrap(1.0)
        return
    for i in range(t.value.size):
        unit = np.zeros(t.value.size, t.value.dtype)
        unit[i] = 1.0
        yield wrap(settle(unit.reshape(t.value.shape)))


def check_jacobian(outputs: Sequence[Tensor], inputs: Sequence[Tensor], what: str) -> None:
    """Raises LimitFault where a Jacobian would be too large."""
    for y in outputs:
        for x in inputs:
            check_size(y.numel() * x.numel(), what)


def stacked(parts: Sequence[Tensor], shape: tuple[int, ...], like: Tensor, last: bool = False) -> Tensor:
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
    """The function that returns the Jacobian, a row at a time in reverse mode.

    A Jacobian has the shape of the output followed by that of the input.

    Results nest as the outputs do, and inside that as the arguments. Raises (when the result is called): as
    vjp.
    """
    what = "jacrev"
    if chunk_size is not None and chunk_size <= 0:
        raise ValueFault(f"{what}: chunk_size must be positive, not {chunk_size}")

    def wrapper(*args: Any) -> Any:
        at, single = chosen(argnums, args, what)
        level = Level()
        try:
            entered, structure = entered_at(level, args, at, what)
            output, aux = parted(level.run(func, entered), has_aux, what)
            outputs, out_structure = outputs_of(output, what)
            require_floating_outputs(outputs, what)
            check_jacobian(outputs, level.targets, what)
            record = level.recorded and (level.tied or level.outside(*outputs))
            with tape.grad_mode(record):
                rows = [[level.pull([y], [unit], record, True) for unit in basis(y)] for y in outputs]
                found = [
                    [stacked([row[k] for row in block], (*y.shape, *x.shape), x) for k, x in enumerate(level.targets)]
                    for y, block in zip(outputs, rows, strict=True)
                ]
                _tie_rows(found)
        finally:
            level.close()
        return _nested(level, found, structure, out_structure, single, aux, has_aux, what)

    return derived(wrapper, func)


def _tie_rows(found: Sequence[list[Tensor]]) -> None:
    """PyTorch goes back from all outputs at once: where one block is on a graph, the others are, too."""
    for k in range(len(found[0]) if found else 0):
        tied = next((block[k] for block in found if block[k].node is not None), None)
        for block in found if tied is not None else ():
            if block[k].node is None:
                block[k] = attach(wrap(block[k].value), untied("ViewBackward0"), (block[k], tied), {})


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
    return (jacobian, left(level, aux, what)) if has_aux else jacobian


_squeezed = primitive(
    "jacobian_column",
    lambda y, *, shape: np.reshape(y, shape).copy(),
    [lambda g, _y, like_j, *, shape: reshape_to(g, shape=shape_of(like_j))],
    grad_fn="SqueezeBackward1",
    about="the one column of the Jacobian of a function of a number",
)


@public("jacfwd", places=FUNC)
def jacfwd(func: Function, argnums: Any = 0, has_aux: bool = False, *, randomness: str = "error") -> Function:
    """The function that returns the Jacobian, a column at a time.

    The columns are Jacobian-vector products; the result nests as that of jacrev.

    Raises (when the result is called): as jvp.
    """
    what = "jacfwd"

    def wrapper(*args: Any) -> Any:
        at, single = chosen(argnums, args, what)
        check_primals(tuple(args[i] for i in at), what)
        level = Level(2, forward=True)
        try:
            entered, structure = entered_at(level, args, at, what)
            output, aux = parted(level.run(func, entered), has_aux, what)
            outputs, out_structure = outputs_of(output, what)
            check_jacobian(outputs, level.targets, what)
            record = level.recorded and (level.tied or level.outside(*outputs))
            with tape.grad_mode(record):
                found = _columns(level, Forward(level, outputs), record)
        finally:
            level.close()
        return _nested(level, found, structure, out_structure, single, aux, has_aux, what)

    return derived(wrapper, func)


def _columns(level: Level, forward: Forward, record: bool) -> list[list[Tensor]]:
    """Blocks (output, input), each stacked from its columns."""
    none: list[Tensor | None] = [None] * len(level.targets)
    found: list[list[Tensor]] = [[] for _ in forward.outputs]
    for k, x in enumerate(level.targets):
        columns = [forward.push([*none[:k], unit, *none[k + 1 :]], record) for unit in basis(x)]
        for i, y in enumerate(forward.outputs):
            shape = (*y.shape, *x.shape)
            parts = [column[i] for column in columns]
            block = parts[0] if x.ndim == 0 else stacked(parts, shape, y, last=True)
            depends = forward.dummies[i] is not None and forward.pulled[i][k] is not None and level.reads(y, x)
            found[i].append(_named_block(level, block, x, level.origins[k] if depends else None))
    return found


def _named_block(level: Level, block: Tensor, x: Tensor, origin: Any) -> Tensor:
    """A block under the name that PyTorch's last step leaves; tied to an input that requires a gradient outside."""
    if block.node is not None:
        return _squeezed(block, shape=block.shape) if x.ndim == 0 else block
    if origin is None or not is_floating(block.value):
        return block
    # what PyTorch's forward mode leaves of a function whose derivative is constant
    op = untied("SqueezeBackward1" if x.ndim == 0 else "ViewBackward0")
    return attach(wrap(block.value), op, (block, x), {})


@public("hessian", places=FUNC)
def hessian(func: Function, argnums: Any = 0) -> Function:
    """The function that returns the matrix of second derivatives: jacfwd(jacrev(func)).

    Raises (when the result is called): as jacrev.
    """
    return jacfwd(jacrev(func, argnums), argnums)
