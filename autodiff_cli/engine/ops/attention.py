"""Attention: scaled_dot_product_attention, as PyTorch runs it.

In four dimensions (batch, heads, positions, features) PyTorch has one node for the whole, `flash_attention` here, which
has no second derivative; otherwise, and where the mask is differentiated or something is dropped, products and a softmax.
"""

from __future__ import annotations

import math
from typing import Any

from autodiff_cli.engine.apply import apply
from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.arithmetic import add, mul, where
from autodiff_cli.engine.ops.conversion import stride
from autodiff_cli.engine.ops.declare import kind, no_rule
from autodiff_cli.engine.ops.joining import repeat_interleave
from autodiff_cli.engine.ops.matmul import matmul
from autodiff_cli.engine.ops.matrices import mm, same_dtype
from autodiff_cli.engine.ops.neural import _torch_dropout
from autodiff_cli.engine.ops.shaping import transpose
from autodiff_cli.engine.ops.softmaxes import softmax_op
from autodiff_cli.engine.registry import Op, primitive, public
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import RuntimeFault


def _causal(q: Tensor, k: Tensor) -> Tensor:
    """The mask that lets a position look back only."""
    return wrap(np.tril(np.ones((q.shape[-2], k.shape[-2]), bool)))


def _masked(scores: Tensor, mask: Any) -> Tensor:
    if mask is None:
        return scores
    if kind(mask.value) == "b":
        masked: Tensor = where(mask, scores, -math.inf)
        return masked
    added: Tensor = add(scores, mask)
    return added


def _safe_softmax(x: Any, *, dim: int) -> Any:
    dead = np.all(np.asarray(x) == -np.inf, axis=dim, keepdims=True)
    return np.where(dead, 0, softmax_op.array(np.where(dead, 0, x), dim=dim))


safe_softmax = primitive(
    "safe_softmax",
    _safe_softmax,
    softmax_op.vjps,
    formulas=softmax_op.formulas,
    about="softmax; a row that is -inf from end to end gives zeros, and not nan",
)


def _by_group(q: Tensor, x: Tensor, function: str) -> Tensor:
    """Keys or values, each head repeated for the group of query heads that shares it."""
    if min(q.ndim, x.ndim) < 3 or q.shape[-3] % x.shape[-3]:
        raise RuntimeFault(f"{function}: the heads of {x.shape} can't be shared by those of {q.shape}")
    repeated: Tensor = repeat_interleave(x, q.shape[-3] // x.shape[-3], -3)
    return repeated


# --- one node ---


def _shared(x: Any, q: Any) -> Any:
    """Keys or values, each head for the group of query heads that shares it."""
    return np.repeat(x, q.shape[1] // x.shape[1], axis=1)


def _gathered(x: Any, like: Any) -> Any:
    """The cotangent of `like`, from that of its `_shared` heads."""
    heads = like.shape[1]
    return x.reshape(x.shape[0], heads, -1, *x.shape[2:]).sum(2).astype(like.dtype)


def _weights(q: Any, k: Any, mask: Any, scale: float) -> Any:
    """softmax(q @ k.T * scale + mask), raw; the mask is bool, added, or 0."""
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) * scale
    scores = np.where(mask, scores, -np.inf) if kind(mask) == "b" else scores + mask
    return _safe_softmax(scores, dim=scores.ndim - 1)


def _flash(q: Any, k: Any, v: Any, mask: Any, *, scale: float) -> Any:
    return np.matmul(_weights(q, _shared(k, q), mask, scale), _shared(v, q)).astype(q.dtype)


def _flash_backward(g: Any, q: Any, k: Any, v: Any, mask: Any, *, scale: float, of: int) -> Any:
    """The cotangent of the query (`of` 0), the key (1) or the value (2)."""
    keys = _shared(k, q)
    weights = _weights(q, keys, mask, scale)
    if of == 2:
        return _gathered(np.matmul(np.swapaxes(weights, -1, -2), g), v)
    pull = np.matmul(g, np.swapaxes(_shared(v, q), -1, -2))
    slope = weights * (pull - (pull * weights).sum(-1, keepdims=True)) * scale
    return np.matmul(slope, keys).astype(q.dtype) if of == 0 else _gathered(np.matmul(np.swapaxes(slope, -1, -2), q), k)


flash_attention_backward: Op = primitive(
    "flash_attention_backward",
    _flash_backward,
    [no_rule("the gradient of scaled_dot_product_attention in four dimensions")] * 5,
    grad_fn="torch::autograd::NotImplemented",
    about="the cotangents of attention's operands",
)
flash_attention: Op = primitive(
    "flash_attention",
    _flash,
    [
        lambda g, y, q, k, v, mask, *, scale: flash_attention_backward(g, q, k, v, mask, scale=scale, of=0),
        lambda g, y, q, k, v, mask, *, scale: flash_attention_backward(g, q, k, v, mask, scale=scale, of=1),
        lambda g, y, q, k, v, mask, *, scale: flash_attention_backward(g, q, k, v, mask, scale=scale, of=2),
        None,
    ],
    grad_fn="ScaledDotProductFlashAttentionForCpuBackward0",
    formulas=(
        "slope @ k * scale, slope = w * (g @ v.T - sum(w * (g @ v.T)))",
        "slope.T @ q * scale",
        "w.T @ g for the weights w",
        "",
    ),
    about="softmax(q @ k.T * scale + mask) @ v",
)


def _in_one(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, grouped: bool) -> bool:
    """Whether PyTorch has one node for it."""
    return (
        q.ndim == k.ndim == v.ndim == 4
        and q.shape[0] == k.shape[0]
        and k.shape[:2] == v.shape[:2]
        and (grouped or q.shape[1] == k.shape[1])
        and q.shape[-1] == k.shape[-1] == v.shape[-1]
        and all(0 not in t.shape and stride(t, -1) == 1 for t in (q, k, v))
        and (mask is None or not mask.requires_grad)
    )


# --- the function ---


@public("scaled_dot_product_attention", places=("F",), ops=(flash_attention, mm, safe_softmax))
def _attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """softmax(query @ key.T * scale + mask) @ value; scale is 1 / sqrt(features) where it is left out.

    Raises:
        RuntimeFault: fewer than 2 dimensions, dtypes that differ, a mask and is_causal together.
    """
    name = "scaled_dot_product_attention"
    q, k = tensor_arg(query, name, "query"), tensor_arg(key, name, "key")
    v = tensor_arg(value, name, "value")
    if min(q.ndim, k.ndim, v.ndim) < 2:
        raise RuntimeFault(
            f"{name}: query, key and value have {q.ndim}, {k.ndim} and {v.ndim} dimensions, not 2 or more",
            hint="their last two dimensions are positions and features",
        )
    same_dtype(name, q, k, v)
    whole = k, v
    if enable_gqa:
        k, v = _by_group(q, k, name), _by_group(q, v, name)
    mask = None
    if attn_mask is not None:
        mask = tensor_arg(attn_mask, name, "attn_mask")
        if is_causal:
            raise RuntimeFault(f"{name}: attn_mask and is_causal exclude each other")
        if kind(mask.value) not in "bf":
            raise RuntimeFault(f"{name}: the mask is bool or floating, and this one is {mask.dtype}")
    size = 1.0 / math.sqrt(q.shape[-1]) if scale is None else float(scale)
    if dropout_p == 0.0 and _in_one(q, *whole, mask, enable_gqa):
        allowed = _causal(q, k) if is_causal else 0.0 if mask is None else mask
        return apply(flash_attention, (q, *whole, allowed), {"scale": size})
    factor = math.sqrt(size)
    scores = matmul(mul(q, factor), mul(transpose(k, -2, -1), factor))
    masked = _masked(scores, _causal(q, k) if is_causal else mask)
    weights = apply(safe_softmax, (masked,), {"dim": masked.ndim - 1})
    if dropout_p > 0.0:
        weights = _torch_dropout(weights, dropout_p, True)
    attended: Tensor = matmul(weights, v)
    return attended
