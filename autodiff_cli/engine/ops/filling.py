"""Methods that change a tensor in place and have no twin that doesn't: fill_, zero_, copy_, and the shape
changers.

`squeeze_`, `unsqueeze_`, `t_` and `transpose_` change how the tensor sees its memory; the memory stays.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.arguments import dim_arg, dims_arg, type_name
from autodiff_cli.engine.inplace import copy_into, refuse_leaf, replace
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import NO_PARAMS
from autodiff_cli.engine.ops import shaping
from autodiff_cli.engine.ops.declare import number_arg
from autodiff_cli.engine.ops.structure import MISSING, as_view, product
from autodiff_cli.engine.regions import BLANK
from autodiff_cli.engine.registry import Op, primitive, public
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, current_node
from autodiff_cli.engine.views import version_of
from autodiff_cli.errors import RuntimeFault

METHOD = ("Tensor",)

# --- contents -----------------------------------------------------------------------------------------------


def _full(x: Any, value: Any) -> Any:
    x = np.asarray(x)
    out = np.empty_like(x)
    out[...] = value
    return out


def _fill_op(name: str, grad_fn: str, array: Any, rules: Any) -> Op:
    return primitive(name, array, rules, grad_fn=grad_fn, formulas=("0", "1"), about="every entry replaced by a number")


def _nothing(g: Any, _y: Any, _x: Any, *_value: Any) -> Any:
    return BLANK(g)


fill_op = _fill_op("fill", "FillBackward2", _full, [_nothing, None])
fill_tensor_op = _fill_op("fill_tensor", "FillBackward3", _full, [_nothing, lambda g, _y, _x, _value: g])
zero_op = _fill_op("zero", "ZeroBackward0", lambda x: np.zeros_like(np.asarray(x)), [_nothing])


@public("fill_", places=METHOD, ops=(fill_op, fill_tensor_op), about="every entry becomes a number")
def fill_(input: Tensor, value: Any) -> Tensor:
    """The tensor itself. The value's gradient is the sum of what comes back.

    Raises:
        RuntimeFault: a value with dimensions, or a leaf that requires a gradient.
    """
    if type(value) is not Tensor:
        value = number_arg(value, "fill_", "value")
    refuse_leaf(input)
    if type(value) is Tensor:
        if value.ndim:
            raise RuntimeFault(f"fill_: the value is a number or a 0-d tensor, not one of shape {value.shape}")
        return replace(input, fill_tensor_op(input, value), even=True)
    return replace(input, fill_op(input, value), even=True)


@public("zero_", places=METHOD, ops=(zero_op,), about="every entry becomes 0")
def zero_(input: Tensor) -> Tensor:
    refuse_leaf(input)
    return replace(input, zero_op(input), even=True)


def _long_diagonal(x: Any, *, wrap: bool) -> Any:
    """The flat view of the diagonal that fill_diagonal_ writes."""
    shape = x.shape
    if len(shape) == 2 and not (wrap and shape[0] > shape[1]):
        return x.reshape(-1)[: shape[1] * min(shape) : shape[1] + 1]
    return x.reshape(-1)[:: sum(product(shape[d + 1 :]) for d in range(len(shape)))]


def _fill_diagonal(x: Any, *, value: Any, wrap: bool) -> Any:
    out = np.array(x, order="C")
    _long_diagonal(out, wrap=wrap)[...] = value
    return out


fill_diagonal_op: Op = primitive(
    "fill_diagonal",
    _fill_diagonal,
    [lambda g, _y, _x, *, value, wrap: fill_diagonal_op(g, value=0.0, wrap=wrap)],
    grad_fn="torch::autograd::CopySlices",
    formulas=("0 on the diagonal, else 1",),
    about="the main diagonal replaced by a number",
)
fill_diagonal_op.saves = True  # as CopySlices, which it is in PyTorch


@public("fill_diagonal_", places=METHOD, ops=(fill_diagonal_op,), about="the main diagonal becomes a number")
def fill_diagonal_(input: Tensor, fill_value: Any, wrap: bool = False) -> Tensor:
    """The tensor itself; `wrap`: the diagonal begins again below the square of a tall matrix.

    Raises:
        RuntimeFault: fewer than 2 dimensions, sizes that differ with more than 2, or a leaf that requires a gradient.
    """
    if tape.grad_enabled:
        current_node(input)  # PyTorch writes through a view of it, for which a history is made
    refuse_leaf(input)
    if input.ndim < 2:
        raise RuntimeFault(f"fill_diagonal_: at least 2 dimensions are needed, not {input.ndim}")
    if input.ndim > 2 and len(set(input.shape)) != 1:
        raise RuntimeFault(f"fill_diagonal_: with more than 2 dimensions all must be equal, not {input.shape}")
    number = number_arg(fill_value, "fill_diagonal_", "fill_value")
    return replace(input, fill_diagonal_op(input, value=number, wrap=bool(wrap)))


@public("copy_", places=METHOD, about="the contents become those of another tensor")
def copy_(input: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """The tensor itself, with the source broadcast to its shape and in its dtype.

    Raises:
        RuntimeFault: no tensor, a shape that does not broadcast, or a leaf that requires a gradient.
    """
    if type(src) is not Tensor:
        src = number_arg(src, "copy_", "src") if type(src) in (float, int, bool) else src
    if type(src) not in (Tensor, float, int, bool):
        raise RuntimeFault(f"copy_: a tensor is copied, not {type_name(src)}")
    return copy_into(input, src)


# --- the shape ----------------------------------------------------------------------------------------------


def _renamed(op: Op, name: str, grad_fn: str) -> Op:
    """An op under the name that PyTorch gives its in-place form."""
    return primitive(
        name,
        op.array,
        op.vjps,
        grad_fn=grad_fn,
        view=True,
        formulas=op.formulas,
        about=f"{op.about}, in place",
    )


_squeeze = _renamed(shaping.squeeze_all, "squeeze_", "SqueezeBackward3")
_squeeze_dim = _renamed(shaping.squeeze_one, "squeeze_dim_", "SqueezeBackward4")
_squeeze_dims = _renamed(shaping.squeeze_some, "squeeze_dims_", "SqueezeBackward5")
_unsqueeze = _renamed(shaping.unsqueeze_op, "unsqueeze_", "UnsqueezeBackward1")
_transpose = _renamed(shaping.transpose_op, "transpose_", "TransposeBackward1")
_t = _renamed(shaping.t_op, "t_", "TBackward1")


def _reseen(t: Tensor, op: Op, params: dict[str, Any]) -> Tensor:
    """Let a tensor see its own memory through a view of it."""
    view = as_view(op, t, params)
    t.value = view.value
    if tape.grad_enabled or t.node is None:
        t.node = view.node
    elif not t.node.inputs:  # outside gradient mode a leaf stays one
        t.node.value = view.value
    version = version_of(t)
    version.change()
    if tape.grad_enabled:
        t.extra.seen = version.count
    return t


@public("squeeze_", places=METHOD, ops=(_squeeze, _squeeze_dim, _squeeze_dims), about="squeeze, in place")
def squeeze_in_place(input: Tensor, dim: Any = MISSING) -> Tensor:
    refuse_leaf(input)
    if dim is MISSING:
        return _reseen(input, _squeeze, {"dims": tuple(range(input.ndim))})
    if isinstance(dim, (list, tuple)):
        return _reseen(input, _squeeze_dims, {"dims": dims_arg(dim, input.ndim, "squeeze_") if dim else ()})
    return _reseen(input, _squeeze_dim, {"dims": (dim_arg(dim, input.ndim, "squeeze_"),)})


@public("unsqueeze_", places=METHOD, ops=(_unsqueeze,), about="unsqueeze, in place")
def unsqueeze_in_place(input: Tensor, dim: int) -> Tensor:
    refuse_leaf(input)
    return _reseen(input, _unsqueeze, {"dim": dim_arg(dim, input.ndim + 1, "unsqueeze_")})


@public("transpose_", "swapaxes_", "swapdims_", places=METHOD, ops=(_transpose,), about="transpose, in place")
def transpose_in_place(input: Tensor, dim0: int, dim1: int) -> Tensor:
    refuse_leaf(input)
    first, second = dim_arg(dim0, input.ndim, "transpose_"), dim_arg(dim1, input.ndim, "transpose_")
    return _reseen(input, _transpose, {"dim0": first, "dim1": second})


@public("t_", places=METHOD, ops=(_t,), about="t, in place")
def t_in_place(input: Tensor) -> Tensor:
    """The tensor itself.

    Raises:
        RuntimeFault: more than 2 dimensions, or a leaf that requires a gradient.
    """
    refuse_leaf(input)
    if input.ndim > 2:
        raise RuntimeFault(f"t_() is for matrices, and this tensor has {input.ndim} dimensions")
    return _reseen(input, _t, NO_PARAMS)
