"""What PyTorch calls the node of a gradient that was made with `create_graph`, where our formula ends in another step.

A rule is written for exactness and speed, PyTorch's often runs a kernel of its own (`gelu_backward`) or takes the same steps
in another order. People see the last step's name, as the `grad_fn` of the gradient.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from autodiff_cli.engine.node import Node
from autodiff_cli.engine.registry import Op
from autodiff_cli.engine.tensor import Tensor

_DOUBLE = "MseLoss HuberLoss SmoothL1Loss Gelu Softplus LogSigmoid NativeLayerNorm"
_MEANS = ("MeanBackward0", "MeanBackward1")
_FITTED = (*_MEANS, "NativeLayerNormBackward0")
_LOGITS = "BinaryCrossEntropyWithLogitsBackward0"

LAST: dict[str, str] = {
    **{f"{name}Backward0": f"{name}BackwardBackward0" for name in _DOUBLE.split()},
    **dict.fromkeys((*_MEANS, _LOGITS), "DivBackward1"),
    **dict.fromkeys(("CumprodBackward0", "HypotBackward0", "LogaddexpBackward0"), "DivBackward0"),
    **dict.fromkeys(("MaxBackward1", "MinBackward1", "MedianBackward0", "NanmedianBackward0"), "MaskedFillBackward1"),
    **dict.fromkeys(("MaximumBackward0", "MinimumBackward0", "MaskedFillBackward0"), "MaskedFillBackward0"),
    **dict.fromkeys(
        ("MaxBackward0", "MinBackward0", "MedianBackward1", "SortBackward0", "TopkBackward0", "KthvalueBackward0"),
        "ScatterBackward0",
    ),
    "ModeBackward0": "ScatterBackward0",
    "Exp2Backward0": "MulBackward1",
    "IndexBackward0": "IndexPutImplBackward0",
    "UnsqueezeBackward0": "SqueezeBackward1",
    "RepeatBackward0": "SumBackward1",
    "SincBackward0": "WhereBackward0",
    "SplitBackward0": "CatBackward0",
    "UnbindBackward0": "StackBackward0",
    **dict.fromkeys(("LinalgDetBackward0", "LinalgSlogdetBackward0"), "LinalgSolveExBackward0"),
    "LinalgMatrixExpBackward0": "SliceBackward0",
    "TraceBackward0": "ViewBackward0",
}
"""PyTorch's name of an operation -> that of the last step of its gradient's formula."""

_renamed: dict[tuple[Op, str], Op] = {}


def rename(node: Node, made: Any, fitted: Any, before: int) -> None:
    """Give the gradient that a node's rule has just made (after the clock showed `before`) PyTorch's name for it.

    `fitted`: the gradient in the operand's shape. PyTorch's mean divides last, after what it is spread by.
    """
    name = LAST[node.op.grad_fn]
    if node.op.grad_fn == _LOGITS and node.params["reduction"] != "mean":
        return
    d = fitted if node.op.grad_fn in _FITTED else made
    last = d.node if type(d) is Tensor else None
    if last is None or last.seq <= before or last.op.grad_fn == name:
        return
    key = (last.op, name)
    if key not in _renamed:
        twin = copy(last.op)
        twin.grad_fn = name
        _renamed[key] = twin
    last.op = _renamed[key]
