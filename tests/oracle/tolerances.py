"""What is judged less strictly than to 1e-12 and kind for kind (see compare.py), and why."""

from __future__ import annotations

TOLERANCES: dict[str, tuple[float, str]] = {
    "i1e": (1e-9, "differences of nearly equal Bessel functions"),
    "mvlgamma": (1e-8, "PyTorch's trigamma is good to 1e-9 only; see differences.py"),
    "hardsigmoid(inplace)": (1e-7, "PyTorch's 1 / 6 is rounded to float32; see differences.py"),
}

# groups and families, the kinds that are not judged there, the reason
ROWS: tuple[tuple[str, str, str], ...] = (
    (
        "convolutions pools functional einsum tensordot bilinear ndtr solvers norm linalg.norm getitem vander further_arguments pad",
        "next",
        "what stands between a result and its operands shows only in a program that walks next_functions",
    ),
    (
        "det prod cumprod logcumsumexp cummax cummin pad scatter_reduce batch_norm vander further_arguments pools",
        "grad2-none",
        "a second derivative that is 0 everywhere may be a constant outside the graph, or a zero on it",
    ),
    ("max min amax amin aminmax softshrink", "zero-sign", "which of 0.0 and -0.0 is the larger is nowhere said"),
    (
        "det slogdet logdet norm prod cumprod cdist",
        "grad-zero-sign",
        "the sign of a zero is that of the library's own order of operations",
    ),
    ("slogdet", "zero-sign", "the sign of a determinant that is nan is a zero of either sign"),
    ("mish", "grad-zero-sign", "a derivative that underflows from below is -0.0"),
    ("functional func", "zero-sign", "forward mode has its own order of operations"),
    ("func", "grad_fn requires_grad again", "forward mode leaves other nodes, and constants, on the graph"),
    (
        "refused_pointwise",
        "value",
        "numbers are judged function by function, in the groups of the functions",
    ),
    ("vmap", "grad_fn again", "batching shows steps of its own"),
)

UNJUDGED: dict[str, frozenset[str]] = {}
for _names, _kinds, _why in ROWS:
    for _name in _names.split():
        UNJUDGED[_name] = UNJUDGED.get(_name, frozenset()) | frozenset(_kinds.split())
