"""The argument `out=` of PyTorch's functions: a tensor that is given the result, and returned.

It is asked for so rarely that no function here has it in its signature: the call is made without it, and what it
returns is copied.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.arguments import type_name
from autodiff_cli.engine.inplace import copy_into
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import RuntimeFault, TypeFault


def call_into(function: Callable[..., Any], args: Any, keywords: dict[str, Any], name: str) -> Any:
    """`function(*args, **keywords, out=...)`: a tensor, or a tuple of as many as the function returns.

    A tensor of another shape takes the shape of the result.

    Raises:
        TypeFault: `out` is no tensor, or not as many as there are results.
        RuntimeFault: an argument requires a gradient (nothing is recorded of a result that is copied), or the result
            is of a dtype that the tensor can't hold.
    """
    out = keywords["out"]
    keywords = {key: value for key, value in keywords.items() if key != "out"}
    if out is None:
        return function(*args, **keywords)
    targets = out if isinstance(out, (tuple, list)) else (out,)
    if not all(type(t) is Tensor for t in targets):
        raise TypeFault(f"{name}(): 'out' must be a tensor, not {type_name(out)}")
    if tape.grad_enabled and any(type(t) is Tensor and t.requires_grad for t in (*args, *keywords.values(), *targets)):
        raise RuntimeFault(
            f"{name}(): 'out' records no history, and an argument requires a gradient",
            hint="use the value that the function returns, or call it under torch.no_grad()",
        )
    result = function(*args, **keywords)
    results = result if isinstance(result, tuple) else (result,)
    if len(results) != len(targets):
        raise TypeFault(f"{name}(): it has {len(results)} results, and 'out' has {len(targets)} tensors")
    for target, found in zip(targets, results, strict=True):
        _fill(target, found, name)
    return out


def _fill(target: Any, found: Tensor, name: str) -> None:
    if found.dtype.category > target.dtype.category:
        raise RuntimeFault(f"{name}(): the result is {found.dtype}, which 'out', a {target.dtype} tensor, can't hold")
    if target.shape == found.shape:
        copy_into(target, found)
    else:
        target.data = found.to(target.dtype)
