"""engine/formatting.py against PyTorch's recorded output, and the rules of f-strings."""

from __future__ import annotations

import gzip
import importlib.util
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autodiff_cli.engine.formatting import MAX_FIELD, PrintOptions, format_item, format_tensor, format_value
from autodiff_cli.errors import Fault, LimitFault, TypeFault, ValueFault


def _load_recorder() -> Any:
    spec = importlib.util.spec_from_file_location("record_formatting", Path(__file__).with_name("record_formatting.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


recorder = _load_recorder()


def _ours(case: Any) -> str:
    options = PrintOptions()
    if case.options:
        options.update(**case.options)
    with np.errstate(over="ignore"):
        value: Any = np.array(case.values, dtype=case.dtype).reshape(case.shape)
    if case.shape == () and case.dtype in ("float64", "int64", "bool"):
        value = case.values[0]  # such a tensor holds a Python number
    return format_tensor(
        value,
        case.dtype,
        requires_grad=case.grad != "no",
        grad_fn=case.grad if case.grad not in ("no", "leaf") else None,
        default_dtype=case.default_dtype,
        options=options,
    )


@pytest.fixture(scope="module")
def recording() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(gzip.decompress(recorder.RECORDING.read_bytes()))
    return document


def test_the_recording_answers_these_cases(recording: dict[str, Any]) -> None:
    assert recording["digest"] == recorder.digest(), "run record_formatting.py again"


def test_prints_what_pytorch_prints(recording: dict[str, Any]) -> None:
    wrong = []
    for case, expected in zip(recorder.cases(), recording["answers"], strict=True):
        got = _ours(case)
        if got != expected:
            wrong.append(f"{case._replace(values=case.values[:12])}\nexpected {expected}\ngot      {got}")
    assert not wrong, f"{len(wrong)} differ; the first:\n" + "\n".join(wrong[:3])


def test_a_large_array_is_not_read_whole() -> None:
    """A broadcast view of 10^12 elements prints at once: only the edges are touched."""
    huge = np.broadcast_to(np.float64(1.5), (10**6, 10**6))
    assert format_tensor(huge, "float64").splitlines()[0] == (
        "tensor([[1.5000, 1.5000, 1.5000,  ..., 1.5000, 1.5000, 1.5000],"
    )


def test_a_scalar_is_written_without_numpy() -> None:
    program = (
        "import sys; from autodiff_cli.engine.formatting import format_tensor, format_value\n"
        "print(format_tensor(2.5, 'float64', grad_fn='MulBackward0'), format_tensor(True, 'bool'),"
        " format_value(2.5, '.1f', str), 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "tensor(2.5000, grad_fn=<MulBackward0>) tensor(True) 2.5 False\n"


@pytest.mark.parametrize(
    ("value", "spec", "expected"),
    [
        (1.0, "", "1.0"),
        (2 / 3, ".3f", "0.667"),
        (3, "5d", "    3"),
        (True, "", "True"),
        (np.array(0.1, dtype=np.float32), "", "0.10000000149011612"),
        (np.array([1.0, 2.0]), "", "<text>"),
    ],
)
def test_format_value(value: Any, spec: str, expected: str) -> None:
    assert format_value(value, spec, lambda: "<text>") == expected


@pytest.mark.parametrize(
    ("value", "spec", "fault", "message"),
    [
        (np.array([1.0, 2.0]), ".3f", TypeFault, "unsupported format string passed to Tensor.__format__"),
        (1.0, "d", ValueFault, "Unknown format code 'd' for object of type 'float'"),
        (1.0, "q", ValueFault, "Unknown format code 'q' for object of type 'float'"),
        (1.0, f".{MAX_FIELD + 1}f", LimitFault, "1,000,001 characters"),
        (1, "99999999999999999999", LimitFault, "at most 1,000,000"),
        (2**60, "c", ValueFault, ""),
    ],
)
def test_format_value_faults(value: Any, spec: str, fault: type[Fault], message: str) -> None:
    with pytest.raises(fault) as caught:
        format_value(value, spec, lambda: "<text>")
    assert message in str(caught.value)


def test_format_item_takes_other_objects() -> None:
    assert format_item([1, 2], "") == "[1, 2]"
    for other in ([1], None, {}):
        with pytest.raises(TypeFault, match="unsupported format string passed to"):
            format_item(other, ">5")


def test_format_item_takes_strings() -> None:
    assert format_item("ab", ">4") == "  ab"
    with pytest.raises(ValueFault):
        format_item("ab", ".2f")


@pytest.mark.parametrize(
    ("keywords", "fault"),
    [
        ({"precision": -1}, ValueFault),
        ({"precision": 2.5}, TypeFault),
        ({"precision": 10**9}, ValueFault),
        ({"edgeitems": -1}, ValueFault),
        ({"threshold": "a"}, TypeFault),
        ({"linewidth": "80"}, TypeFault),
        ({"linewidth": math.inf}, ValueFault),
    ],
)
def test_print_options_refuse_what_cannot_print(keywords: dict[str, Any], fault: type[Fault]) -> None:
    options = PrintOptions()
    before = options.as_dict()
    with pytest.raises(fault):
        options.update(**keywords)
    assert options.as_dict() == before


def test_print_options_profiles_and_reset() -> None:
    options = PrintOptions()
    options.update(profile="short", sci_mode=True)
    assert options.as_dict() == {
        "precision": 2,
        "threshold": 1000,
        "edgeitems": 2,
        "linewidth": 80,
        "sci_mode": True,
    }
    options.update(profile="full")
    assert (options.precision, options.threshold, options.sci_mode) == (4, math.inf, None)
    options.update(profile="no such profile", linewidth=100)
    assert (options.precision, options.linewidth) == (4, 100)
    options.reset()
    assert options.as_dict() == PrintOptions().as_dict()
