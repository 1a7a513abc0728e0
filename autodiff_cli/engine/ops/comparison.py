"""Comparisons and logic: results are bool and have no derivative."""

from __future__ import annotations

import operator

from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.registry import pointwise

FLAGS = frozenset((bool,))

eq = pointwise("eq", operator.eq, lambda a, b: np.equal(a, b), None, policy="compare", about="a == b")
ne = pointwise("ne", operator.ne, lambda a, b: np.not_equal(a, b), None, policy="compare", about="a != b")
lt = pointwise("lt", operator.lt, lambda a, b: np.less(a, b), None, policy="compare", about="a < b")
le = pointwise("le", operator.le, lambda a, b: np.less_equal(a, b), None, policy="compare", about="a <= b")
gt = pointwise("gt", operator.gt, lambda a, b: np.greater(a, b), None, policy="compare", about="a > b")
ge = pointwise("ge", operator.ge, lambda a, b: np.greater_equal(a, b), None, policy="compare", about="a >= b")
bitwise_and = pointwise(
    "bitwise_and", operator.and_, lambda a, b: np.bitwise_and(a, b), None, scalar_types=FLAGS, about="a & b"
)
bitwise_or = pointwise(
    "bitwise_or", operator.or_, lambda a, b: np.bitwise_or(a, b), None, scalar_types=FLAGS, about="a | b"
)
bitwise_not = pointwise(
    "bitwise_not", operator.not_, lambda x: np.invert(x), None, scalar_types=FLAGS, about="~a"
)
