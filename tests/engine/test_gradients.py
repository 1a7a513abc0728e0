"""Every operation that has rules, against central differences: its derivative, and the derivative of that.

An operation is checked alone, on random points of its own domain where it works entry by entry, and else on operands and
parameters that a case of the oracle leads to (`samples`); one whose result a function computes for several operations
at once is checked through that case. A sum with random weights is differentiated along a random direction, so one
number judges a rule; a step is taken in two sizes, and the error that is left is of the fourth order.

The checker is checked: a factor 2.001 for 2 fails, in a rule and in the rule of a rule.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from oracle import record
from oracle.case import GROUPS, Case, T, compiled
from oracle.engine_side import EngineSide
from oracle.running import evaluate

from autodiff_cli.engine import autograd, methods
from autodiff_cli.engine.dtypes import DType
from autodiff_cli.engine.lazy import quiet
from autodiff_cli.engine.node import Node
from autodiff_cli.engine.registry import OPS, Op, settle
from autodiff_cli.engine.tensor import Tensor, new_leaf, wrap
from autodiff_cli.errors import NotImplementedFault, RuntimeFault

assert methods  # imported for the operations it loads
assert record  # imported for the groups of cases it loads

STEP = 2.0**-12
TOLERANCE = 2e-6
FAR = 1e9  # a step is lost in the rounding of larger numbers
CASES_A_GROUP = 8
SAMPLES = 3

# operations that differences say nothing about
APART = {
    **dict.fromkeys(
        (
            "normal_mean",
            "normal_std",
            "normal_both",
            "bernoulli",
            "bernoulli_p",
            "uniform_",
            "normal_",
            "exponential_",
            "random_",
            "random_1",
            "random_2",
            "bernoulli_",
        ),
        "draws random numbers; the derivative is 0 by convention",
    ),
    "overwritten": "its result is what was written, whatever it is computed from",
    "round_decimals": "its steps are finer than that of the differences",
}


class Sample(NamedTuple):
    """A function of raw arrays (its float operands), the point, and whether an operation alone is meant."""

    function: Callable[..., Any]  # tensors -> a tensor
    point: tuple[Any, ...]
    label: str


# --- where operations are checked -----------------------------------------------------------------------------------------


def is_float(value: Any) -> bool:
    return type(value) is float or getattr(value, "dtype", None) == np.float64


def symmetric(x: Tensor) -> Any:
    return (x + x.mT) / 2 if x.ndim > 1 and x.shape[-1] == x.shape[-2] else x


def lower(x: Tensor) -> Any:
    return x.tril() if x.ndim > 1 and x.shape[-1] == x.shape[-2] else x


# operations that read one half of a matrix, and whose derivative is for matrices of that kind
PREPARED: dict[str, Callable[[Tensor], Any]] = {
    "cholesky": symmetric,
    "cholesky_old": symmetric,
    "cholesky_solve": lower,
    "cholesky_inverse": lower,
}


def alone(op: Op, operands: tuple[Any, ...], params: dict[str, Any], numbers: tuple[bool, ...] = ()) -> Sample:
    """The operation as a function of those operands that it has a rule for (and that are no plain numbers)."""
    rules = op.vjps or ()
    active = [
        i
        for i, x in enumerate(operands)
        if is_float(x) and (op.variadic or rules[i] is not None) and not (numbers and numbers[i])
    ]
    prepare = PREPARED.get(op.name, lambda x: x)

    def function(*xs: Tensor) -> Any:
        whole: list[Any] = [wrap(x) if isinstance(x, np.ndarray) else x for x in operands]
        for i, x in zip(active, xs, strict=True):
            whole[i] = prepare(x)
        return op(*whole, **params)

    return Sample(function, tuple(operands[i] for i in active), f"{op.name}, parameters {params}")


def through(case: Case) -> Sample:
    """A case of the oracle as a function of its leaves."""
    leaves = [n for n, t in case.tensors.items() if t.grad]
    prepare = symmetric if "eigh" in case.text or "eigvalsh" in case.text else lambda x: x
    side = EngineSide()

    def function(*xs: Tensor) -> Any:
        space = side.space()
        space.update({n: side.tensor(t._replace(grad=False)) for n, t in case.tensors.items()})
        space.update((n, prepare(x)) for n, x in zip(leaves, xs, strict=True))
        exec(compiled(case.text), space)
        return space["result"]

    return Sample(function, tuple(array(case.tensors[n]) for n in leaves), case.text)


def array(t: T) -> Any:
    return np.array(t.values, dtype=t.dtype).reshape(t.shape)


class Meeting(NamedTuple):
    """Where a case of the oracle, or the graph of its gradients, meets an operation: operands, which of them are plain
    numbers, parameters, result; `clear`: no two elements of a tensor of the case are equal."""

    case: Case
    operands: tuple[Any, ...]
    numbers: tuple[bool, ...]
    params: dict[str, Any]
    value: Any
    clear: bool


def drawn(op: Op, params: dict[str, Any], shapes: tuple[tuple[int, ...], ...], domain: Any = None) -> Sample:
    """The operation on random points of its domain, the operands of these shapes."""
    draw = random.Random(f"{op.name}{shapes}").random
    operands = []
    for shape, (low, high) in zip(shapes, (domain or op.domain)[: len(shapes)], strict=True):
        values = [low + (high - low) * draw() for _ in range(math.prod(shape))]
        operands.append(np.array(values).reshape(shape) if shape else values[0])
    if op.name == "where":
        operands[0] = operands[0] > 0.5
    return alone(op, tuple(operands), params)


BROADCAST = {1: ((2, 3),), 2: ((2, 3), (3,)), 3: ((2, 3), (3,), (2, 1)), 4: ((2, 3), (3,), (2, 1), ())}


def shapes_for(count: int, meetings: list[Meeting]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Shapes of operands to try: scalars, equal ones, and some that broadcast where the operation ever does."""
    yield ((),) * count
    together = BROADCAST[count]
    if not any(len({np.shape(x) for x in m.operands}) > 1 for m in meetings):
        together = ((2, 3),) * count
    plain = [bool(meetings) and all(m.numbers[i] for m in meetings) for i in range(count)]
    yield tuple(() if number else shape for number, shape in zip(plain, together, strict=True))


@cache
def met(thoroughly: bool) -> dict[str, list[Meeting]]:
    """The meetings with each operation: of a few cases of each group, or of all of them."""
    found: dict[str, list[Meeting]] = {}
    for group in GROUPS.values():
        usable = [c for c in group.cases if _is_usable(c, thoroughly)]
        step = 1 if thoroughly else max(1, len(usable) // CASES_A_GROUP)
        for case in usable[::step]:
            for node in _nodes(case):
                operands = tuple(x.value if isinstance(x, (Node, Tensor)) else x for x in node.inputs)
                numbers = tuple(not isinstance(x, (Node, Tensor)) for x in node.inputs)
                by_convention = node.op.name == "embedding" and node.params.get("padding") not in (None, -1)
                near = all(np.all(np.abs(x) < FAR) for x in (*operands, node.value) if is_float(x))
                if near and np.size(node.value) and not by_convention:
                    meeting = Meeting(case, operands, numbers, node.params, node.value, _is_clear(case))
                    found.setdefault(node.op.name, []).append(meeting)
    return found


def _is_usable(case: Case, thoroughly: bool) -> bool:
    """Whether there is something to differentiate, and no zero at which a derivative is a convention."""
    floats = [t for t in case.tensors.values() if t.dtype.startswith("float")]
    if not any(t.grad and t.values for t in floats) or ".backward" in case.text or len(case.text) > 400:
        return False
    small = all(len(t.values) <= 48 and all(0 < abs(v) < 50 for v in t.values) for t in floats)
    return small and (thoroughly or ("float" not in case.text and all(t.dtype == "float64" for t in floats)))


def _is_clear(case: Case) -> bool:
    """Whether no two elements are equal: a tie is a convention, too."""
    tensors = [t for t in case.tensors.values() if t.dtype != "bool"]
    return all(len(set(t.values)) == len(t.values) for t in tensors)


def _nodes(case: Case) -> Iterator[Node]:
    """The nodes of a case's graph, and of the graphs of its gradients and theirs."""
    tensors: list[Tensor] = []
    try:
        with quiet():
            result, leaves = evaluate(case, EngineSide())
            roots = [r for r in outputs(result) if r.requires_grad]
            tensors += roots
            for _ in range(2):
                ones = [new_leaf(settle(np.ones(r.shape, r.dtype.name))) for r in roots]
                grads = autograd.grad(roots, leaves, ones, create_graph=True, allow_unused=True) if roots else ()
                roots = [g for g in grads if g is not None and g.requires_grad]
                tensors += roots
    except Exception:
        pass  # a case that is about an error
    seen: set[Node] = set()
    stack = [t.node for t in tensors if t.node is not None]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            yield node
            stack.extend(x for x in node.inputs if type(x) is Node)


def samples(op: Op) -> list[Sample]:
    """Where an operation is checked."""
    count = len(op.vjps or ())
    meetings = met(False).get(op.name) or met(True).get(op.name, [])
    if op.policy is not None and len(op.domain) == count:
        kinds: list[dict[str, Any]] = []
        for m in meetings:
            if m.params not in kinds:
                kinds.append(m.params)
        return [drawn(op, params, s) for params in kinds[:SAMPLES] or [{}] for s in shapes_for(count, meetings)]
    if not meetings and not op.variadic:  # nothing asks for its derivative; matrices will do
        return [drawn(op, {}, ((3, 3),) * count, op.domain * count)]
    found = []
    for m in sorted(meetings, key=lambda m: not m.clear):
        if len(found) == SAMPLES or (found and not m.clear):
            break
        sample = alone(op, m.operands, m.params, m.numbers) if _computes(op, m) else through(m.case)
        if sample.point:
            found.append(sample)
    return found


PLAIN = (int, float, str, bool, type(None), DType, np.ndarray)


def _computes(op: Op, m: Meeting) -> bool:
    """Whether the operation itself computes its result (and was not handed a part of something larger)."""
    parts = [p for v in m.params.values() for p in (v if type(v) in (tuple, list) else (v,))]
    if not all(isinstance(p, PLAIN) for p in parts):
        return False
    try:
        with quiet():
            again = op.compute(m.operands, m.params)
        return not isinstance(again, tuple) and np.allclose(again, m.value)
    except Exception:
        return False


# --- the check ------------------------------------------------------------------------------------------------------------


def weights(draw: Callable[[], float], like: Any) -> Any:
    return np.array([0.5 + draw() for _ in range(np.size(like))]).reshape(np.shape(like))


def outputs(result: Any) -> list[Tensor]:
    parts = result if isinstance(result, (tuple, list)) else (result,)
    return [p for p in parts if isinstance(p, Tensor) and is_float(p.value)]


class Check:
    """A sample with its weights and direction."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        draw = random.Random(sample.label).random
        self.weights = [weights(draw, t.value) for t in outputs(sample.function(*map(wrap, sample.point)))]
        self.tilt = [weights(draw, x) for x in sample.point]
        self.direction = [weights(draw, x) * (1 if draw() < 0.5 else -1) for x in sample.point]

    def moved(self, t: float) -> list[Any]:
        return [settle(np.asarray(x + t * d)) for x, d in zip(self.sample.point, self.direction, strict=True)]

    def value(self, t: float) -> float:
        """The weighted sum of the results at a step along the direction."""
        results = outputs(self.sample.function(*map(wrap, self.moved(t))))
        return sum(float(np.sum(w * r.value)) for w, r in zip(self.weights, results, strict=True))

    def gradients(self, t: float, *, create: bool) -> tuple[list[Tensor], list[Tensor | None]]:
        leaves = [new_leaf(x) for x in self.moved(t)]
        roots, cotangents = [], []
        for w, r in zip(self.weights, outputs(self.sample.function(*leaves)), strict=True):
            if r.requires_grad:
                roots.append(r)
                cotangents.append(wrap(settle(np.asarray(w))))
        if not roots:
            return leaves, [None] * len(leaves)
        return leaves, list(autograd.grad(roots, leaves, cotangents, create_graph=create, allow_unused=True))

    def slope(self, t: float) -> float:
        """The weighted sum of the gradients at a step along the direction."""
        _, grads = self.gradients(t, create=False)
        return sum(float(np.sum(v * g.value)) for v, g in zip(self.tilt, grads, strict=True) if g is not None)

    def along(self, grads: list[Tensor | None]) -> float:
        return sum(float(np.sum(d * g.value)) for d, g in zip(self.direction, grads, strict=True) if g is not None)

    def first(self) -> tuple[float, float]:
        """The derivative along the direction by the rules, and by differences."""
        return self.along(self.gradients(0.0, create=False)[1]), differenced(self.value)

    def second(self) -> tuple[float, float]:
        """The same of the weighted sum of the gradients."""
        leaves, grads = self.gradients(0.0, create=True)
        kept = [(g, v) for g, v in zip(grads, self.tilt, strict=True) if g is not None and g.requires_grad]
        if not kept:
            return 0.0, differenced(self.slope)
        cotangents = [wrap(settle(np.asarray(v))) for _, v in kept]
        again = autograd.grad([g for g, _ in kept], leaves, cotangents, allow_unused=True)
        return self.along(list(again)), differenced(self.slope)


def differenced(f: Callable[[float], float]) -> float:
    """f'(0) by central differences in two steps."""
    one = (f(STEP) - f(-STEP)) / (2 * STEP)
    half = (f(STEP / 2) - f(-STEP / 2)) / STEP
    return (4 * half - one) / 3


def agrees(pair: tuple[float, float]) -> bool:
    ours, theirs = pair
    return abs(ours - theirs) <= TOLERANCE * (1 + abs(theirs))


@pytest.mark.parametrize("name", [n for n, op in OPS.items() if op.vjps is not None and n not in APART])
def test_derivatives(name: str) -> None:
    places = samples(OPS[name])
    assert places, f"no case of the oracle leads to {name}"
    with quiet():
        for sample in places:
            check = Check(sample)
            try:
                first = check.first()
            except (RuntimeFault, NotImplementedFault) as e:
                assert "derivative" in e.message, sample.label
                continue  # an operation whose rule is to say so
            assert agrees(first), f"{sample.label}: by rule {first[0]!r}, by differences {first[1]!r}"
            try:
                second = check.second()
            except (RuntimeFault, NotImplementedFault) as e:
                assert "derivative" in e.message, sample.label
                continue
            assert agrees(second), f"order 2, {sample.label}: by rule {second[0]!r}, by differences {second[1]!r}"


def test_the_checker_sees_a_wrong_rule() -> None:
    wrong = Op("wrong_square", lambda x: x * x, [lambda g, _y, x: g * (2.001 * x)], policy="promote")
    assert not agrees(Check(alone(wrong, (np.array([0.5, 1.5]),), {})).first())


def test_the_checker_sees_a_wrong_rule_of_a_rule() -> None:
    slope = Op("wrong_double", lambda x: 2.0 * x, [lambda g, _y, _x: 2.001 * g], policy="promote")
    square = Op("almost_right_square", lambda x: x * x, [lambda g, _y, x: g * slope(x)], policy="promote")
    check = Check(alone(square, (np.array([0.5, 1.5]),), {}))
    assert agrees(check.first())
    assert not agrees(check.second())


def test_the_checker_accepts_right_rules() -> None:
    square = Op("right_square", lambda x: x * x, [lambda g, _y, x: g * (2.0 * x)], policy="promote")
    check = Check(alone(square, (np.array([0.5, 1.5]),), {}))
    assert agrees(check.first())
    assert agrees(check.second())
