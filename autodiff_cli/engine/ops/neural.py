"""Layers as functions: linear, bilinear, embedding, dropout, glu."""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import dim_arg, tensor_arg
from autodiff_cli.engine.inplace import replace
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.addmm import addmm
from autodiff_cli.engine.ops.arithmetic import add, div, mul, sub, where
from autodiff_cli.engine.ops.comparison import ne
from autodiff_cli.engine.ops.cutting import slice_backward, slice_op
from autodiff_cli.engine.ops.declare import kind, number_arg
from autodiff_cli.engine.ops.einsum import einsum
from autodiff_cli.engine.ops.gathering import add_at
from autodiff_cli.engine.ops.matmul import matmul
from autodiff_cli.engine.ops.matrices import mm
from autodiff_cli.engine.ops.shaping import reshape, t
from autodiff_cli.engine.ops.softmaxes import softmax_op
from autodiff_cli.engine.ops.special_functions import sigmoid
from autodiff_cli.engine.ops.structure import reshape_to
from autodiff_cli.engine.random import default_generator
from autodiff_cli.engine.registry import Op, primitive, public, settle, shape_of
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.engine.views import alias
from autodiff_cli.errors import IndexFault, NotImplementedFault, RuntimeFault, ValueFault

# --- linear and bilinear --------------------------------------------------------------------------


@public("linear", places=("F",), ops=(mm,))
def _linear(input: Any, weight: Any, bias: Any = None) -> Tensor:
    """input @ weight.T + bias, by the products that PyTorch takes.

    Raises:
        RuntimeFault: shapes or dtypes that do not go together.
    """
    x, w = tensor_arg(input, "linear"), tensor_arg(weight, "linear", "weight")
    if x.ndim == 0:
        raise RuntimeFault("linear: the input has no dimension of features (its shape is ())")
    if w.ndim not in (1, 2):
        raise RuntimeFault(f"linear: the weight has {w.ndim} dimensions; it is a matrix (outputs, inputs)")
    if x.shape[-1] != w.shape[-1]:
        raise RuntimeFault(
            f"linear: {x.shape[-1]} features in the input (shape {x.shape}), and {w.shape[-1]} in the weight "
            f"(shape {w.shape})",
            hint="the weight's shape is (outputs, inputs): it is transposed in the product",
        )
    if bias is None:
        product: Tensor = matmul(x, t(w))
        return product
    b = tensor_arg(bias, "linear", "bias")
    if x.ndim == 2:
        whole: Tensor = addmm(b, x, t(w))
        return whole
    if w.ndim == 1 and b.ndim == 1:
        raise RuntimeFault(f"linear: the shapes of weight and bias are {w.shape} and {b.shape}")
    if w.ndim == 1 or b.ndim != 1:
        found: Tensor = add(matmul(x, t(w)), b)
        return found
    rows = addmm(b, reshape(x, (-1, x.shape[-1])), t(w))
    shaped: Tensor = reshape(rows, (*x.shape[:-1], w.shape[0]))
    return shaped


@public("bilinear", places=("torch", "F"), ops=(mm,))
def _bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Tensor:
    """x1 @ weight[o] @ x2 for each output o, plus bias.

    Raises:
        RuntimeFault: shapes that do not go together.
    """
    x, y = tensor_arg(input1, "bilinear", "input1"), tensor_arg(input2, "bilinear", "input2")
    w = tensor_arg(weight, "bilinear", "weight")
    if w.ndim != 3 or x.ndim == 0 or x.shape[-1] != w.shape[1] or y.ndim == 0 or y.shape[-1] != w.shape[2]:
        raise RuntimeFault(
            f"bilinear: the shapes {x.shape} and {y.shape} do not go with a weight of shape {w.shape}",
            hint="the weight's shape is (outputs, features of input1, features of input2)",
        )
    if x.shape[:-1] != y.shape[:-1]:
        raise RuntimeFault(f"bilinear: the inputs have shapes {x.shape} and {y.shape}; only the last may differ")
    found: Tensor = einsum("...i,oij,...j->...o", x, w, y)
    return found if bias is None else add(found, tensor_arg(bias, "bilinear", "bias"))


# --- embedding ------------------------------------------------------------------------------------


def _embedding_sum(g: Any, index: Any, *, rows: int, padding: int | None) -> Any:
    index, g = np.asarray(index), np.asarray(g)
    if padding is not None:
        g = np.where((index == padding)[..., None], 0, g).astype(g.dtype)
    return add_at(np.zeros((rows, g.shape[-1]), g.dtype), 0, index, g)


def _embedding_sum_rule(g: Any, _y: Any, _g: Any, index: Any, *, rows: int, padding: int | None) -> Any:
    looked_up = embedding(g, index, padding=padding)
    if padding is None:
        return looked_up
    return where(reshape_to(ne(index, padding), shape=(*shape_of(index), 1)), looked_up, 0.0)


embedding = primitive(
    "embedding",
    lambda weight, index, *, padding: np.asarray(weight)[index],
    [
        lambda g, _y, like_weight, index, *, padding: embedding_sum(
            g, index, rows=shape_of(like_weight)[0], padding=padding
        ),
        None,
    ],
    formulas=("the sum of g over the places that took a row", ""),
    about="rows of a matrix",
)
embedding_sum: Op = primitive(
    "embedding_sum",
    _embedding_sum,
    [_embedding_sum_rule, None],
    grad_fn="EmbeddingDenseBackwardBackward0",
    about="cotangents of rows, added up by row",
)


@public("embedding", places=("F",), ops=(embedding,))
def _embedding(
    input: Any,
    weight: Any,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of weight that input numbers; the row padding_idx gets no gradient.

    Raises:
        IndexFault: a row number is out of range.
        RuntimeFault: no matrix, or numbers that are not integers.
        NotImplementedFault: max_norm, scale_grad_by_freq or sparse.
    """
    index, w = tensor_arg(input, "embedding"), tensor_arg(weight, "embedding", "weight")
    if max_norm is not None or scale_grad_by_freq or sparse:
        raise NotImplementedFault("embedding: max_norm, scale_grad_by_freq and sparse are not supported")
    if w.ndim != 2:
        raise RuntimeFault(f"embedding: the weight has {w.ndim} dimensions; it is a matrix, one row an entry")
    if kind(index.value) not in "iu":
        raise RuntimeFault(
            f"embedding: the numbers of rows must be integers, and these are {index.dtype}",
            hint="the arguments are embedding(index, weight), in this order",
        )
    rows = w.shape[0]
    numbers = np.asarray(index.value)
    if numbers.size and not rows:
        raise RuntimeFault("embedding: the weight has no rows")
    if numbers.size and (numbers.min() < 0 or numbers.max() >= rows):
        raise IndexFault(f"embedding: a row number is out of range; there are {rows} rows, numbered from 0")
    if padding_idx is not None:
        if not -rows <= padding_idx < rows:
            raise RuntimeFault(f"embedding: padding_idx is {padding_idx}, and there are {rows} rows")
        padding_idx %= rows
    return apply(embedding, (w, index), {"padding": padding_idx})


@public("embedding", places=("torch",), ops=(embedding,))
def _torch_embedding(weight: Any, indices: Any, padding_idx: int = -1) -> Tensor:
    """The rows of weight that indices number."""
    found: Tensor = _embedding(indices, weight, None if padding_idx == -1 else padding_idx)
    return found


# --- dropout --------------------------------------------------------------------------------------


@public("dropout", places=("F",), ops=(mul,))
def _dropout(input: Any, p: Any = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Entries set to 0 with probability p, the others times 1 / (1 - p); itself without training.

    Raises:
        ValueFault: p is no probability; RuntimeFault: the tensor is not floating.
    """
    x = tensor_arg(input, "dropout")
    chance = float(number_arg(p, "dropout", "p"))
    if not 0.0 <= chance <= 1.0:
        raise ValueFault(f"dropout: p is a probability, between 0 and 1, and it is {chance}")
    if not training or chance == 0.0 or x.numel() == 0:
        return x
    if kind(x.value) != "f":
        raise RuntimeFault(f"dropout of a {x.dtype} tensor", hint="convert it first, as with x.double()")
    mask = wrap(settle(default_generator.dropout_mask(x.shape, chance, x.dtype.name)))
    result: Tensor = mul(x, mask)
    return replace(x, result) if inplace else result


@public("dropout", places=("torch",), ops=(mul,))
def _torch_dropout(input: Any, p: Any, train: bool) -> Tensor:
    """Entries set to 0 with probability p, the others times 1 / (1 - p).

    Raises:
        RuntimeFault: p is no probability, or the tensor not floating.
    """
    if not 0.0 <= float(number_arg(p, "dropout", "p")) <= 1.0:
        raise RuntimeFault(f"dropout: p is a probability, between 0 and 1, and it is {p}")
    found: Tensor = _dropout(input, p, train)
    return found


# --- glu ------------------------------------------------------------------------------------------


def _ranges(x: Any, dim: int) -> tuple[dict[str, int], dict[str, int]]:
    """The two halves of a dimension, as the parameters of a slice."""
    size = shape_of(x)[dim]
    return tuple(  # type: ignore[return-value]
        {"dim": dim, "start": start, "stop": start + size // 2, "step": 1} for start in (0, size // 2)
    )


def _glu_rule(g: Any, _y: Any, x: Any, *, dim: int) -> Any:
    first, second = _ranges(x, dim)
    a, b = slice_op(x, **first), slice_op(x, **second)
    gate = sigmoid(b)
    slope = gate * sigmoid(-b)
    shape = shape_of(x)
    return slice_backward(g * gate, shape=shape, **first) + slice_backward(g * a * slope, shape=shape, **second)


def _glu_forward(x: Any, *, dim: int) -> Any:
    first, second = _ranges(x, dim)
    return slice_op(x, **first) * sigmoid(slice_op(x, **second))


glu = primitive(
    "glu",
    _glu_forward,
    [_glu_rule],
    formulas=("sigmoid(b) for the first half a, a * sigmoid'(b) for the second half b",),
    about="the first half of a dimension times the sigmoid of the second",
)


@public("glu", places=("F",), ops=(glu,))
def _glu(input: Any, dim: int = -1) -> Tensor:
    """The first half of a dimension times the sigmoid of the second half.

    Raises:
        NotImplementedFault: the tensor is not floating; RuntimeFault: a 0-d tensor, or an odd size.
    """
    x = tensor_arg(input, "glu")
    if x.ndim == 0:
        raise RuntimeFault("glu: a 0-d tensor has no halves")
    at = dim_arg(dim, x.ndim, "glu")
    if x.shape[at] % 2:
        raise RuntimeFault(f"glu: dimension {at} has size {x.shape[at]}, and must be even to be halved")
    if kind(x.value) != "f":
        raise NotImplementedFault(f"glu is not defined for {x.dtype}", hint="convert with .double()")
    return apply(glu, (x,), {"dim": at})


# --- gumbel_softmax -------------------------------------------------------------------------------


@public("gumbel_softmax", places=("F",), ops=(softmax_op,))
def _gumbel_softmax(logits: Any, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    """A sample of one class, relaxed: softmax((logits + Gumbel noise) / tau); with hard=True exactly one class, with
    the relaxed one's gradient.
    """
    x = tensor_arg(logits, "gumbel_softmax")
    if kind(x.value) != "f":
        raise RuntimeFault(f"gumbel_softmax of a {x.dtype} tensor", hint="convert it first, as with x.double()")
    at = dim_arg(dim, x.ndim, "gumbel_softmax")
    drawn = default_generator.exponential(1.0, tuple(x.shape), x.dtype.name)
    noise = wrap(settle(-np.log(drawn)))
    soft = apply(softmax_op, (div(add(x, noise), float(tau)),), {"dim": at})
    if not hard:
        return soft
    value = np.asarray(soft.value)
    one = np.zeros_like(value)
    if value.ndim:
        np.put_along_axis(one, np.expand_dims(value.argmax(at), at), 1.0, at)
    else:
        one[...] = 1.0
    found: Tensor = add(sub(wrap(settle(one)), alias(soft)), soft)
    return found
