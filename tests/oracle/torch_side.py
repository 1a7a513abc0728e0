"""PyTorch's side: imports torch, so only where it is installed."""

from __future__ import annotations

import builtins
from typing import Any

import torch
import torch.func
import torch.nn.functional as F

from oracle.case import T

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)  # one order of summation


class TorchSide:
    name = "torch"

    def space(self) -> dict[str, Any]:
        return {"torch": torch, "F": F, "inf": float("inf"), "nan": float("nan")}

    def tensor(self, t: T) -> Any:
        made = torch.tensor(t.values, dtype=getattr(torch, t.dtype)).reshape(t.shape)
        return made.requires_grad_() if t.grad else made

    def is_tensor(self, x: Any) -> bool:
        return isinstance(x, torch.Tensor)

    def weights(self, like: Any, values: list[float]) -> Any:
        return torch.tensor(values, dtype=like.dtype).reshape(like.shape)

    def grad(self, outputs: Any, inputs: Any, weights: Any, *, retain: bool, create: bool) -> Any:
        return torch.autograd.grad(
            outputs, inputs, weights, retain_graph=retain, create_graph=create, allow_unused=True
        )

    def error(self, e: Exception) -> str:
        return next(c.__name__ for c in type(e).__mro__ if getattr(builtins, c.__name__, None) is c)
