"""The JSON of documents: exact numbers, no nan tokens, order, one line, and every reader of JSON takes it."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autodiff_cli.errors import ValueFault
from autodiff_cli.views.json_text import dumps


def refuse_constant(word: str) -> Any:
    raise AssertionError(f"{word} is not JSON")


def loads(text: str) -> Any:
    return json.loads(text, parse_constant=refuse_constant)


def test_a_document() -> None:
    document = {
        "schema": 1,
        "output": "z",
        "value": 49.0,
        "gradients": {"x": np.array([1.0, 42.0]), "y": math.nan},
        "nonfinite": [],
        "printed": ["a\n\u00e9"],
        "graph": {"nodes": [{"value": -math.inf, "grad": None, "shape": ()}, {"value": np.array([[0.5, np.inf]])}]},
        "flag": True,
        "count": 3,
    }
    assert dumps(document) == (
        '{"schema": 1, "output": "z", "value": 49.0, "gradients": {"x": [1.0, 42.0], "y": "nan"}, '
        '"nonfinite": ["gradients.y", "graph.nodes[0].value", "graph.nodes[1].value[0][1]"], '
        '"printed": ["a\\n\u00e9"], '
        '"graph": {"nodes": [{"value": "-inf", "grad": null, "shape": []}, {"value": [[0.5, "inf"]]}]}, '
        '"flag": true, "count": 3}'
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (49.0, "49.0"),
        (-0.0, "-0.0"),
        (1e-9, "1e-09"),
        (1e16, "1e+16"),
        (5e-324, "5e-324"),
        (3, "3"),
        (True, "true"),
        (None, "null"),
        (np.float64(0.1), "0.1"),
        (np.float32(0.1), "0.10000000149011612"),
        (np.int64(3), "3"),
        (np.bool_(False), "false"),
        (np.array(2.5), "2.5"),
        (np.array([0.1], dtype=np.float32), "[0.10000000149011612]"),
        (np.array([1, 2]), "[1, 2]"),
        (np.array([True]), "[true]"),
        (np.zeros((2, 0)), "[[], []]"),
        ((1, [2, ()], {}), "[1, [2, []], {}]"),
        ({1: 2}, '{"1": 2}'),
        (math.inf, '"inf"'),
        (np.array([np.nan, 1, -np.inf]), '["nan", 1.0, "-inf"]'),
    ],
)
def test_values(value: Any, text: str) -> None:
    assert dumps(value) == text


def test_half_a_surrogate_pair_is_escaped() -> None:
    text = dumps({"file": "a\udcff\u00e9\U0001f600"})
    assert text == '{"file": "a\\udcff\u00e9\U0001f600"}'
    text.encode()  # can be written


def test_nonfinite_is_filled_at_the_top_only() -> None:
    assert dumps({"a": {"nonfinite": [1]}, "b": math.nan}) == '{"a": {"nonfinite": [1]}, "b": "nan"}'


def test_deep_nesting_is_no_recursion() -> None:
    deep: list[Any] = []
    for _ in range(50_000):
        deep = [deep]
    assert dumps(deep) == "[" * 50_001 + "]" * 50_001


def test_a_list_in_itself_is_a_fault_and_a_list_twice_is_not() -> None:
    shared = [1]
    assert dumps([shared, shared]) == "[[1], [1]]"
    shared.append(shared)  # type: ignore[arg-type]
    with pytest.raises(ValueFault, match="contains itself"):
        dumps({"a": shared})


def test_other_objects_are_a_bug() -> None:
    with pytest.raises(TypeError):
        dumps({"a": object()})


NUMBERS = st.floats() | st.integers() | st.booleans() | st.none() | st.text()
TREES = st.recursive(NUMBERS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


def worded(tree: Any) -> Any:
    if isinstance(tree, float) and not math.isfinite(tree):
        return "nan" if tree != tree else "inf" if tree > 0 else "-inf"
    if isinstance(tree, list):
        return [worded(x) for x in tree]
    return {k: worded(v) for k, v in tree.items()} if isinstance(tree, dict) else tree


@given(TREES)
@settings(max_examples=200, deadline=None)
def test_reads_back(tree: Any) -> None:
    text = dumps([tree])
    assert "\n" not in text
    assert repr(loads(text)) == repr(worded([tree]))


@given(hnp.arrays(st.sampled_from([np.float64, np.float32]), hnp.array_shapes(min_side=0, max_dims=3)))
@settings(max_examples=100, deadline=None)
def test_arrays_read_back_and_every_nonfinite_place_is_named(array: np.ndarray[Any, Any]) -> None:
    document = loads(dumps({"value": array, "nonfinite": []}))
    assert repr(document["value"]) == repr(worded(array.tolist()))
    expected = ["value" + "".join(f"[{i}]" for i in index) for index in np.argwhere(~np.isfinite(array)).tolist()]
    assert document["nonfinite"] == expected


def test_large_arrays() -> None:
    array = np.random.RandomState(0).standard_normal(200_000)
    for value in (array, np.where(array > 2, np.nan, array), array.tolist()):
        text = dumps({"value": value, "nonfinite": []})
        assert text.count(",") >= 200_000
