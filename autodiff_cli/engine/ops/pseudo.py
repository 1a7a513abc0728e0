"""Matrices without an inverse: pinv, lstsq, matrix_rank, cond.

The rank is the number of singular values above max(atol, rtol * the largest), for pinv, lstsq and matrix_rank alike. The rules
hold where the rank does not change; at a change there is no derivative, and what is given is that of the rank found.
"""

from __future__ import annotations

from math import prod
from typing import Any

from autodiff_cli.engine.apply import check_size
from autodiff_cli.engine.arguments import tensor_arg, type_name
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.arithmetic import mul, reciprocal, where
from autodiff_cli.engine.ops.cutting import narrow
from autodiff_cli.engine.ops.matrices import (
    LinAlgFault,
    column,
    floating_matrices,
    mT,
    row,
    same_dtype,
    times,
    uncolumn,
)
from autodiff_cli.engine.ops.norms import INF, matrix_norm
from autodiff_cli.engine.ops.reductions import sum_
from autodiff_cli.engine.ops.shaping import squeeze
from autodiff_cli.engine.ops.signs import nan_to_num
from autodiff_cli.engine.ops.solving import inverse
from autodiff_cli.engine.ops.spectral import svdvals
from autodiff_cli.engine.registry import primitive, public, settle
from autodiff_cli.engine.results import named
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import RuntimeFault, TypeFault

# --- the pseudo-inverse -------------------------------------------------------------------------------------


def _spectrum(a: Any, hermitian: bool) -> tuple[Any, Any, Any]:
    """U, S, Vh; of symmetric matrices by eigh."""
    try:
        if not hermitian:
            return tuple(np.linalg.svd(a, full_matrices=False))
        w, v = np.linalg.eigh(a)
    except np.linalg.LinAlgError:
        raise LinAlgFault("the singular values did not converge (is there a nan?)") from None
    return v * np.where(w < 0, -1.0, 1.0)[..., None, :], np.abs(w), np.swapaxes(v, -1, -2)


def _cutoff(a: Any, s: Any, atol: float | None, rtol: float | None) -> Any:
    """Below this a singular value counts as 0: max(atol, rtol * the largest), where rtol is eps * max(m, n)
    at first."""
    if rtol is None:
        rtol = float(np.finfo(a.dtype).eps) * max(a.shape[-2:]) if atol is None or atol <= 0.0 else 0.0
    largest = s.max(axis=-1, keepdims=True, initial=0.0)
    return np.maximum(0.0 if atol is None else atol, rtol * largest)


def _pinv(a: Any, *, atol: float | None = None, rtol: float | None = None, hermitian: bool = False) -> Any:
    u, s, vh = _spectrum(a, hermitian)
    kept = s > _cutoff(a, s, atol, rtol)
    reciprocal = np.where(kept, 1.0 / np.where(kept, s, 1.0), 0.0).astype(a.dtype)
    return np.matmul(np.swapaxes(vh, -1, -2) * reciprocal[..., None, :], np.swapaxes(u, -1, -2))


def pull_pinv(g: Any, p: Any, a: Any) -> Any:
    """The cotangent of A from that of P = pinv(A), where the rank of A does not change.

    Source: G. Golub and V. Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares
    problems whose variables separate" (1973).
    """
    pt, gt = mT(p), mT(g)
    left = times(gt, p, pt)
    right = times(pt, p, gt)
    return -times(pt, g, pt) + (left - times(a, p, left)) + (right - times(right, p, a))


pseudo_inverse = primitive(
    "pinv",
    _pinv,
    [lambda g, y, a, *, atol=None, rtol=None, hermitian=False: pull_pinv(g, y, a)],
    grad_fn="LinalgPinvBackward0",
    formulas=("-y.mT @ g @ y.mT + (I - a @ y) @ g.mT @ y @ y.mT + y.mT @ y @ g.mT @ (I - y @ a)",),
    about="the pseudo-inverse of each matrix",
)


def _tolerance(x: Any, function: str, name: str) -> float | None:
    if isinstance(x, Tensor):
        x = x.item()
    if x is None or isinstance(x, (int, float)):
        return x
    raise TypeFault(f"{function}: '{name}' must be a number, not {type_name(x)}")


@public("pinv", places=("linalg",), ops=(pseudo_inverse,))
def pinv(input: Tensor, rcond: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None) -> Tensor:
    """The Moore-Penrose inverse; singular values below max(atol, rtol * the largest) count as 0.

    Raises:
        RuntimeFault: not matrices; with hermitian, not square.
    """
    t = floating_matrices(input, "pinv", square=hermitian)
    relative = _tolerance(rtol if rcond is None else rcond, "pinv", "rtol")
    return pseudo_inverse(t, atol=_tolerance(atol, "pinv", "atol"), rtol=relative, hermitian=bool(hermitian))


@public("pinverse", ops=(pseudo_inverse,))
def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    """The Moore-Penrose inverse (linalg.pinv is the newer name)."""
    return pinv(input, rcond)


# --- least squares ------------------------------------------------------------------------------------------


def _columns(b: Any, vector: bool) -> Any:
    return column(b) if vector else b


def _least_squares(a: Any, b: Any, *, rcond: float | None = None, vector: bool = False) -> Any:
    x = np.matmul(_pinv(a, rtol=rcond), _columns(b, vector))
    return x[..., 0] if vector else x


def _pull_solution_a(g: Any, _y: Any, a: Any, b: Any, *, rcond: float | None = None, vector: bool = False) -> Any:
    weight = times(_columns(g, vector), mT(_columns(b, vector)))
    return pull_pinv(weight, pseudo_inverse(a, rtol=rcond), a)


def _pull_solution_b(g: Any, _y: Any, a: Any, _b: Any, *, rcond: float | None = None, vector: bool = False) -> Any:
    gb = times(mT(pseudo_inverse(a, rtol=rcond)), _columns(g, vector))
    return uncolumn(gb) if vector else gb


least_squares = primitive(
    "lstsq",
    _least_squares,
    [_pull_solution_a, _pull_solution_b],
    grad_fn="LinalgLstsqBackward0",
    formulas=("the rule of pinv with g @ B.mT", "pinv(A).mT @ g"),
    about="the X with the least norm of A X - B",
)


def _residuals(a: Any, b: Any, *, rcond: float | None = None, vector: bool = False) -> Any:
    r = np.matmul(a, _columns(_least_squares(a, b, rcond=rcond, vector=vector), vector)) - _columns(b, vector)
    return np.sum(r * r, axis=-2)


def _pull_residuals(g: Any, a: Any, b: Any, rcond: float | None, vector: bool, of_a: bool) -> Any:
    """X minimises the residual, so its own change does not count."""
    b = _columns(b, vector)
    x = times(pseudo_inverse(a, rtol=rcond), b)
    weighted = (times(a, x) - b) * row(g) * 2.0
    if of_a:
        return times(weighted, mT(x))
    return -uncolumn(weighted) if vector else -weighted


residuals_of = primitive(
    "lstsq_residuals",
    _residuals,
    [
        lambda g, _y, a, b, *, rcond=None, vector=False: _pull_residuals(g, a, b, rcond, vector, True),
        lambda g, _y, a, b, *, rcond=None, vector=False: _pull_residuals(g, a, b, rcond, vector, False),
    ],
    grad_fn="LinalgLstsqBackward0",
    about="the sums of the squares of A X - B",
)
no_residuals = primitive(
    "lstsq_no_residuals",
    lambda a, _b: np.zeros(0, a.dtype),
    [lambda _g, _y, _a, _b: None, lambda _g, _y, _a, _b: None],
    grad_fn="LinalgLstsqBackward0",
    about="no residuals: the driver does not compute them",
)
Lstsq = named("linalg_lstsq", "solution", "residuals", "rank", "singular_values")
DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


@public("lstsq", places=("linalg",), ops=(least_squares, residuals_of))
def lstsq(input: Tensor, b: Tensor, rcond: float | None = None, *, driver: str | None = None) -> Any:
    """The least squares solution X of A X = b, the one of least norm.

    Beside it what PyTorch's driver returns: residuals, rank, singular values.

    Raises:
        RuntimeFault: ranks or shapes that do not go together, different dtypes, an unknown driver.
    """
    a = floating_matrices(input, "lstsq", "input")
    t = tensor_arg(b, "lstsq", "b")
    same_dtype("lstsq", a, t)
    driver = "gelsy" if driver is None else driver
    if driver not in DRIVERS:
        raise RuntimeFault(f"lstsq: the driver is one of {', '.join(DRIVERS)}, not {driver!r}")
    vector = _check_lstsq(a, t)
    s = np.linalg.svd(a.value, compute_uv=False)
    rank = np.sum(s > _cutoff(a.value, s, None, rcond), axis=-1)
    tall = a.shape[-2] > a.shape[-1] and driver != "gelsy" and bool((rank == a.shape[-1]).all())
    residuals = residuals_of(a, t, rcond=rcond, vector=vector) if tall else no_residuals(a, t)
    return Lstsq(
        (
            least_squares(a, t, rcond=rcond, vector=vector),
            residuals,
            wrap(settle(rank) if driver != "gels" else np.zeros(0, "int64")),
            wrap(s if driver in ("gelsd", "gelss") else np.zeros(0, s.dtype)),
        )
    )


def _check_lstsq(a: Tensor, b: Tensor) -> bool:
    """Whether B holds vectors, once the shapes go together."""
    vector = a.ndim - 1 == b.ndim
    if not vector and a.ndim != b.ndim:
        raise RuntimeFault(
            f"lstsq: 'b' must have as many dimensions as 'input' or one less; the shapes are {a.shape} and {b.shape}"
        )
    together = b.shape == a.shape[:-1] if vector else a.shape[-2] == b.shape[-2]
    try:
        batch = () if vector else np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError:
        together = False
    if not together:
        raise RuntimeFault(f"lstsq: the shapes {a.shape} and {b.shape} do not go together")
    if not vector:
        check_size(prod(batch) * a.shape[-1] * b.shape[-1], "lstsq")
    return vector


# --- rank and condition -------------------------------------------------------------------------------------


@public("matrix_rank", places=("linalg",))
def matrix_rank(
    input: Tensor, tol: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None
) -> Tensor:
    """The number of singular values above max(atol, rtol * the largest), as an int64 tensor without a graph.

    Raises:
        RuntimeFault: not matrices.
    """
    t = floating_matrices(input, "matrix_rank", "input", square=hermitian)
    _, s, _ = _spectrum(t.value, hermitian)
    absolute = _tolerance(atol if tol is None else tol, "matrix_rank", "atol")
    relative = 0.0 if tol is not None else _tolerance(rtol, "matrix_rank", "rtol")
    return wrap(settle(np.sum(s > _cutoff(t.value, s, absolute, relative), axis=-1)))


@public("cond", places=("linalg",), ops=(mul,))
def cond(input: Tensor, p: Any = None) -> Tensor:
    """The condition number norm(A) * norm(inv(A)): inf for a singular matrix.

    p=None is the quotient of the extreme singular values, for matrices of any shape.

    Raises:
        RuntimeFault: not matrices, another p, or not square where p needs an inverse.
    """
    t = floating_matrices(input, "cond", "input")
    if t.numel() or isinstance(p, str):
        floating_matrices(t, "cond", "input", square=p not in (None, 2, -2))
    if p not in (None, 2, -2, 1, -1, INF, -INF, "fro", "nuc"):
        raise RuntimeFault(f"cond: no norm of order {p!r}", hint="None, 'fro', 'nuc', 1, -1, 2, -2, inf or -inf")
    if t.numel() == 0:
        return wrap(settle(np.zeros(t.shape[:-2], t.value.dtype)))
    if p in (None, 2, -2):
        s = svdvals(t)
        largest, smallest = (narrow(s, -1, at, 1) for at in (0, s.shape[-1] - 1))
        quotient = smallest / largest if p == -2 else largest / smallest
        return squeeze(quotient, -1)
    if p == "nuc":
        s = svdvals(t)
        return mul(sum_(s, -1), sum_(reciprocal(s), -1))
    return _by_inverse(t, p)


def _by_inverse(t: Tensor, p: Any) -> Tensor:
    y = inverse(t, check=False)
    singular = ~np.isfinite(y.value).all(axis=(-2, -1), keepdims=True)
    y = where(wrap(singular), INF, y)
    product = mul(matrix_norm(t, p), matrix_norm(y, p))
    return nan_to_num(product, nan=INF, posinf=INF, neginf=-INF)
