"""Every public function and every operation against PyTorch: recorded answers, and live where PyTorch is installed."""

from __future__ import annotations

import importlib.util
import itertools
from collections import Counter
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from mpmath import mp

from autodiff_cli.engine import apply, views
from autodiff_cli.engine.lazy import quiet
from autodiff_cli.engine.registry import FUNCTIONS, OPS, Op
from oracle import record
from oracle.case import GROUPS, digest
from oracle.compare import same_error
from oracle.differences import ANSWERED, KEPT, OPEN
from oracle.engine_side import Crash, Missing
from oracle.judging import PLAIN, Failure, judge, judged
from oracle.running import answer
from oracle.tolerances import ROWS, TOLERANCES, UNJUDGED

SHOWN = 30  # differences listed in a failure
RELEASE = "2.13"
UNCALLED = {"overwritten"}  # the graph's mark for contents that were replaced


@cache
def recorded(family: str) -> dict[str, Any]:
    return record.load(family)


@cache
def failures(name: str) -> tuple[Failure, ...]:
    """All differences of a group from the recorded answers, the kept ones among them."""
    group = GROUPS[name]
    return tuple(judge(group, recorded(group.family)["groups"][name]["answers"]))


def told(name: str, found: list[Failure]) -> str:
    """What differs, in a page."""
    kinds = ", ".join(f"{n} {kind}" for kind, n in Counter(f.difference.kind for f in found).items())
    lines = [f"    {f}" for f in found[:SHOWN]]
    if len(found) > SHOWN:
        lines.append(f"    ... and {len(found) - SHOWN} more")
    return f"{name} differs from PyTorch ({kinds}):\n" + "\n".join(lines)


def registered() -> set[str]:
    """Every spelling of a public function, as `torch.exp`, `Tensor.exp_`."""
    spellings = set()
    for (place, name), function in FUNCTIONS.items():
        spellings.add(f"{place}.{name}")
        if function.in_place:
            spellings.add(f"Tensor.{name}_")
    return spellings


# --- the judgement --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GROUPS)
def test_as_recorded(name: str) -> None:
    found = judged(GROUPS[name], failures(name))
    assert not found, told(name, found)


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")
@pytest.mark.parametrize("name", GROUPS)
def test_live(name: str) -> None:
    import torch

    if not torch.__version__.startswith(RELEASE):
        pytest.skip(f"the answers are those of PyTorch {RELEASE}, this is {torch.__version__}")
    found = judged(GROUPS[name], judge(GROUPS[name], record.live(name)))
    assert not found, told(name, found)


# --- nothing is left out --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", record.FAMILIES)
def test_the_recording_answers_these_cases(family: str) -> None:
    document = recorded(family)
    assert document["torch"].startswith(RELEASE)
    here = {name: digest(g) for name, g in GROUPS.items() if g.family == family}
    there = {name: g["digest"] for name, g in document["groups"].items()}
    assert here == there, "run tests/oracle/record.py again, where PyTorch is installed"


def test_every_public_function_has_cases() -> None:
    spelled = {name for g in GROUPS.values() for name in g.names}
    assert registered() - spelled == set(), "these have no cases in tests/oracle/cases_*.py"


def test_every_name_in_the_cases_is_registered() -> None:
    spelled = {name for g in GROUPS.values() for name in g.names}
    assert spelled - registered() == set()


def test_every_operation_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a call while the cases run, in a rule perhaps, or as what a public function says it is made of."""
    reached = {op.name for f in FUNCTIONS.values() for op in f.ops}
    call, compute, node = Op.__call__, Op.compute, apply.make_node

    def calling(self: Op, *xs: Any, **params: Any) -> Any:
        reached.add(self.name)
        return call(self, *xs, **params)

    def computing(self: Op, xs: Any, params: Any) -> Any:
        reached.add(self.name)
        return compute(self, xs, params)

    def recording(op: Op, *rest: Any) -> Any:
        reached.add(op.name)
        return node(op, *rest)

    monkeypatch.setattr(Op, "__call__", calling)
    monkeypatch.setattr(Op, "compute", computing)
    for module in (apply, views):
        monkeypatch.setattr(module, "make_node", recording)
    with quiet():
        for group in GROUPS.values():
            for case in group.cases:
                if any(t.grad for t in case.tensors.values()):
                    with suppress(Missing, Crash):
                        answer(case, PLAIN)
    assert sorted({name for name, op in OPS.items() if op.vjps is not None} - reached - UNCALLED) == []


# --- the tables hold what they say ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(dict.fromkeys([*KEPT, *ANSWERED, *OPEN])))
def test_a_difference_that_is_kept_is_one(name: str) -> None:
    assert any(f.kept for f in failures(name)), f"PyTorch is right about {name}: take the row away"


@pytest.mark.parametrize("name", KEPT)
def test_the_right_functions_are_derivatives_of_each_other(name: str) -> None:
    functions = KEPT[name].functions
    lead = (3,) if name == "polygamma" else ()
    steps = {1: (), 3: ((0, 1, (1,)), (1, 2, (1,)))}.get(
        len(functions), ((0, 1, (1, 0)), (0, 2, (0, 1)), (1, 3, (1, 0)), (1, 4, (0, 1)), (2, 4, (1, 0)), (2, 5, (0, 1)))
    )
    with mp.workdps(40):
        for low, high, orders in steps:
            for point in itertools.product((0.31, 1.7, 2.53, -0.61), (0.47, 1.1, -2.9, 3.3)[: 4 ** (len(orders) - 1)]):
                point = point[: len(orders)]
                exact = functions[high](*lead, *map(mp.mpf, point))
                if mp.im(exact):
                    continue
                differenced = mp.diff(lambda *x, f=functions[low]: mp.re(f(*lead, *x)), point, orders)
                assert abs(differenced - exact) <= 1e-15 * (1 + abs(exact)), (low, high, point)


def test_each_exemption_has_a_reason_and_a_subject() -> None:
    for name, (_, why) in TOLERANCES.items():
        assert why
        assert name in GROUPS
    for names, kinds, why in ROWS:
        assert kinds
        assert why
        assert all(name in GROUPS or name in record.FAMILIES for name in names.split())


@pytest.mark.parametrize("name", UNJUDGED)
def test_a_kind_that_is_not_judged_does_differ(name: str) -> None:
    groups = [name] if name in GROUPS else []
    groups += [g.name for g in GROUPS.values() if g.family == name]
    found = {f.difference.kind for g in groups for f in failures(g) if not f.kept}
    assert UNJUDGED[name] <= found, "judge it: nothing differs"


@pytest.mark.parametrize("name", TOLERANCES)
def test_a_tolerance_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(TOLERANCES, name)
    group = GROUPS[name]
    assert any(not f.kept for f in judge(group, recorded(group.family)["groups"][name]["answers"]))


# --- the judge is judged --------------------------------------------------------------------------------------------------


def test_a_wrong_derivative_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    op = OPS["sin"]
    monkeypatch.setattr(op, "vjps", (lambda g, _y, x: g * 1.001 * OPS["cos"](x),))
    answers = recorded("pointwise")["groups"]["sin"]["answers"]
    kinds = {f.difference.kind for f in judge(GROUPS["sin"], answers)}
    assert {"grad", "grad2"} <= kinds


@pytest.mark.parametrize(
    ("path", "change", "kind"),
    [
        (("out", "values", 4), 0.5, "value"),
        (("out", "dtype"), "float32", "dtype"),
        (("out", "shape"), [3], "shape"),
        (("out", "grad_fn"), "SinBackward1", "grad_fn"),
        (("out", "next"), ["MulBackward0"], "next"),
        (("grad", 0, "values", 4), 0.0, "grad"),
        (("grad",), {"error": "RuntimeError"}, "grad"),
        (("grad2", 0, "values", 4), 1.0, "grad2"),
        (("grad2",), None, "grad2-none"),
        (("again",), None, "again"),
        (("error",), "RuntimeError", "error"),
    ],
)
def test_a_changed_answer_is_seen(path: tuple[Any, ...], change: Any, kind: str) -> None:
    import copy

    answers = copy.deepcopy(recorded("pointwise")["groups"]["sin"]["answers"])
    *way, last = path
    at = answers[0]
    for step in way:
        at = at[step]
    at[last] = change
    assert kind in {f.difference.kind for f in judge(GROUPS["sin"], answers)}


def test_errors_are_the_same_when_a_program_catches_them() -> None:
    assert same_error("NotImplementedError", "RuntimeError")
    assert not same_error("RuntimeError", "NotImplementedError")
    assert not same_error("ValueError", None)
    assert same_error(None, None)
