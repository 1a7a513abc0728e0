"""Exponentials, logarithms, trigonometry: scalars beside arrays, IEEE's corners, aliases, what scalars import."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from engine.ops.calling import call, const, fn, leaf, listed, slopes

from autodiff_cli.engine.lazy import quiet
from autodiff_cli.errors import NotImplementedFault, TypeFault

POINTS = [0.3, -0.3, 2.5, -2.5, 0.0, -0.0, 1.0, -1.0, 40.0, -40.0, 800.0, -800.0, math.inf, -math.inf, math.nan]
NAMES = [
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "rsqrt",
    "reciprocal",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "sigmoid",
    "logit",
    "erf",
    "erfc",
    "erfinv",
    "lgamma",
    "digamma",
    "sinc",
    "abs",
    "sign",
    "floor",
    "deg2rad",
    "special.ndtr",
    "special.entr",
    "F.relu",
    "F.relu6",
    "F.silu",
    "F.mish",
    "F.gelu",
    "F.elu",
    "F.selu",
    "F.celu",
    "F.softplus",
    "F.logsigmoid",
    "F.softsign",
    "F.hardswish",
    "F.hardsigmoid",
    "F.leaky_relu",
    "F.tanhshrink",
    "F.softshrink",
    "F.hardshrink",
]


@pytest.mark.parametrize("name", NAMES)
def test_scalars_agree_with_arrays(name):
    """Also where Python's functions raise: the value, the slope, the second derivative."""
    x = leaf(POINTS)
    y = call(name, x)
    orders = (1,) if name == "F.hardsigmoid" else (1, 2)  # which has no second derivative
    whole = [listed(y), *(slopes(y, x, order=n)[0] for n in orders)]
    for i, point in enumerate(POINTS):
        s = leaf(point)
        y = call(name, s)
        alone = [listed(y), *(slopes(y, s, order=n)[0] for n in orders)]
        for one, many in zip(alone, whole, strict=True):
            assert one == pytest.approx(many[i], rel=1e-14, abs=1e-300, nan_ok=True), (point, alone)


@pytest.mark.parametrize("name", NAMES)
def test_single_precision_stays(name):
    x = leaf([0.25, 0.75], "float32")
    y = call(name, x)
    assert y.dtype.name == "float32"
    with quiet():
        y.backward(const([1.0, 1.0], "float32"))
    assert x.grad.dtype.name == "float32"
    assert listed(y) == pytest.approx(listed(call(name, const([0.25, 0.75]))), rel=1e-5, nan_ok=True)
    assert call(name, const(0.25, "float32")).dtype.name == "float32"


@pytest.mark.parametrize(
    "name", ["exp", "log", "sin", "tanh", "sigmoid", "erf", "lgamma", "sinc", "sqrt", "reciprocal", "deg2rad"]
)
def test_integers_become_floating(name):
    for values in ([1, 2], [True, True], 1, True):
        y = call(name, const(values))
        assert y.dtype.name == "float64"
        assert listed(y) == pytest.approx(listed(call(name, const(np.array(values, float)))), rel=1e-15)


def test_aliases_are_the_same_function():
    for name, alias in [("asin", "arcsin"), ("acosh", "arccosh"), ("sigmoid", "special.expit"), ("abs", "absolute")]:
        assert listed(call(name, const([0.5, 1.0]))) == pytest.approx(
            listed(call(alias, const([0.5, 1.0]))), nan_ok=True
        )
    assert fn("special.psi") is fn("special.digamma")


def test_only_tensors_are_taken():
    for wrong in (1.0, [1.0], None, "x"):
        with pytest.raises(TypeFault, match="tensor"):
            call("sin", wrong)


def test_atan2_and_hypot_do_not_overflow():
    a, b = leaf([1e200, 3e-200]), leaf([1e200, 4e-200])
    assert slopes(call("hypot", a, b), a, b) == [
        pytest.approx([math.sqrt(0.5), 0.6]),
        pytest.approx([math.sqrt(0.5), 0.8]),
    ]
    assert slopes(call("atan2", a, b), a, b) == [pytest.approx([5e-201, 1.6e199]), pytest.approx([-5e-201, -1.2e199])]
    assert listed(call("atan2", leaf(0.0), leaf(-1.0))) == math.pi
    assert listed(call("atan2", leaf(-0.0), leaf(-1.0))) == -math.pi
    assert listed(call("hypot", const([math.inf]), const([math.nan]))) == [math.inf]
    with pytest.raises(NotImplementedFault):
        call("hypot", const([3]), const([4]))


def test_slopes_at_the_ends_are_infinite():
    x = leaf([1.0, -1.0])
    assert slopes(call("asin", x), x) == [[math.inf, math.inf]]
    assert slopes(call("asin", x), x, order=2) == [[math.inf, -math.inf]]
    assert slopes(call("atanh", x), x) == [[math.inf, math.inf]]
    one = leaf(1.0)
    assert slopes(call("acosh", one), one) == [math.inf]
    assert slopes(call("acosh", one), one, order=2) == [-math.inf]


@pytest.mark.parametrize("name", ["sigmoid", "tanh", "expm1"])
def test_a_hint_that_was_changed_does_no_harm(name):
    """PyTorch saves the result of these; the operand, which sharpens the slope here, may change meanwhile."""
    from autodiff_cli.engine.tape import tape

    x, fresh = leaf([0.3, -1.2]), leaf([0.3, -1.2])
    y = call(name, x)
    with tape.grad_mode(False):
        x += 5.0
    y.backward(const([1.0, 1.0]))
    assert listed(x.grad) == pytest.approx(slopes(call(name, fresh), fresh)[0], rel=1e-14)


def test_a_scalar_program_imports_no_numpy():
    program = """
import sys
from autodiff_cli.engine import methods
from autodiff_cli.engine.registry import FUNCTIONS
from autodiff_cli.engine.tensor import new_leaf
f = lambda place, name: FUNCTIONS[place, name].call
x = new_leaf(0.3)
y = new_leaf(1.7)
z = (x * y + 1) ** 2 / (3 - x) - 2 ** x + x ** y
for name in "exp log log1p expm1 sqrt sin cos tan asin atan sinh tanh asinh sigmoid erf erfc abs floor".split():
    z = z + f("torch", name)(x)
for name in "relu elu selu celu silu mish gelu softplus logsigmoid hardswish hardsigmoid leaky_relu softsign".split():
    z = z + f("F", name)(x)
for name in "hypot atan2 maximum fmin logaddexp".split():
    z = z + f("torch", name)(x, y)
z = z + f("torch", "where")(x > 0, x, y) + f("torch", "clamp")(x, 0.0, 1.0) + x % 2.0
for name in "mse_loss smooth_l1_loss huber_loss binary_cross_entropy_with_logits".split():
    z = z + f("F", name)(x, y)
z = z + f("F", "binary_cross_entropy")(x, x)
z.backward()
z = f("torch", "lgamma")(x) + f("torch", "acosh")(y)
print([n for n in ("numpy", "scipy") if n in sys.modules])
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (run.stdout, run.stderr) == ("[]\n", "")
