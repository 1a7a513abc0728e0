"""What is judged less strictly than to 1e-12 and kind for kind (see compare.py), and why."""

from __future__ import annotations

TOLERANCES: dict[str, tuple[float, str]] = {
    "binary_cross_entropy": (1e-8, "PyTorch adds 1e-12 to a denominator of the second derivative"),
    **dict.fromkeys(("i0e", "i1e"), (1e-9, "differences of nearly equal Bessel functions")),
    "mvlgamma": (1e-8, "PyTorch's trigamma is good to 1e-9 only; see differences.py"),
    "hardsigmoid(inplace)": (1e-7, "PyTorch's 1 / 6 is rounded to float32; see differences.py"),
}

_NEXT = "what stands between a result and its operands shows only in a program that walks next_functions"
_IN_PLACE = "of a part written in place the graph shows the operation that wrote it, where PyTorch shows its operand"
_CONSTANT = "a second derivative that is 0 everywhere may be a constant outside the graph, or a zero on it"
_ZEROS = "which of 0.0 and -0.0 is the larger is nowhere said"
_FORWARD = "the sign of a zero is that of forward mode's own order of operations"

# a group, or a family -> kinds that are not judged there
UNJUDGED: dict[str, tuple[frozenset[str], str]] = {
    "functional": (frozenset(("next",)), _NEXT),
    "func": (frozenset(("zero-sign",)), _FORWARD),
    **dict.fromkeys(("einsum", "tensordot", "bilinear", "ndtr", "solvers", "norm", "linalg.norm", "getitem"), (frozenset(("next",)), _NEXT)),
    "vander": (frozenset(("next", "grad2-none")), _NEXT),
    "further arguments": (frozenset(("next", "grad2-none")), _CONSTANT),
    **dict.fromkeys(
        (
            "setitem", "zero_", "views share memory", "reshape", "view", "flatten", "ravel", "unflatten", "transpose", "permute", "movedim",
            "squeeze", "unsqueeze", "expand", "broadcast_to", "narrow", "select", "diagonal", "unfold", "adjoint",
        ),
        (frozenset(("next",)), _IN_PLACE),
    ),
    **dict.fromkeys(
        ("det", "prod", "cumprod", "logcumsumexp", "cummax", "cummin", "pad", "scatter_reduce", "batch_norm"), (frozenset(("grad2-none",)), _CONSTANT)
    ),
    **dict.fromkeys(("max", "min", "amax", "amin", "aminmax"), (frozenset(("zero-sign",)), _ZEROS)),
}  # fmt: skip
