"""Changes in place as functions (`torch.exp_(x)`): those that PyTorch has besides the methods.

Invariant: each does what the method of its name does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.arguments import tensor_arg
from autodiff_cli.engine.registry import public
from autodiff_cli.engine.tensor import Tensor

_NAMES = (
    "abs acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh ceil clamp clamp_max clamp_min "
    "clip cos cosh deg2rad detach erf erfc exp exp2 expm1 fill fix floor frac gcd i0 index_put lcm ldexp log log10 log1p "
    "log2 logit nan_to_num neg negative rad2deg reciprocal relu round rsqrt sigmoid sin sinc sinh sqrt square tan tanh "
    "trunc xlogy zero"
)


def declare() -> None:
    """Register the functions, once the tensor has its methods."""
    for name in _NAMES.split():
        changed = f"{name}_"
        public(changed, places=("torch",), about=f"{name} in place")(_function(getattr(Tensor, changed), changed))


def _function(change: Callable[..., Any], name: str) -> Callable[..., Any]:
    def call(input: Any, *args: Any, **keywords: Any) -> Any:
        return change(tensor_arg(input, name), *args, **keywords)

    return call
