"""`autodiff eval` and `autodiff grad`: what they print, and where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.harness import autodiff

SEED = ("z=(x*y+1)**2", "--x", "2", "--y", "3")
TREE = """\
z = 49

graph           operation     value  gradient
z = (x*y+1)**2  PowBackward0     49         1
└─ x*y+1        AddBackward0      7        14
   └─ x*y       MulBackward0      6        14
      ├─ ● x    leaf              2        42
      └─ ● y    leaf              3        28

name  value  gradient
x         2        42
y         3        28
"""


def test_value_graph_and_gradients() -> None:
    assert autodiff("eval", *SEED) == (0, TREE, "")


def test_colour_adds_nothing_to_the_text() -> None:
    import re

    result = autodiff("eval", *SEED, "--color", "always")
    assert "\x1b[32m42\x1b[0m" in result.out
    assert re.sub(r"\x1b\[[\d;]*m", "", result.out) == TREE


def test_ascii_where_the_stream_has_no_boxes() -> None:
    result = autodiff("eval", *SEED, encoding="ascii")
    assert result.out.isascii()
    assert "`- * y" in result.out


def test_json_is_one_document_in_the_order_of_the_schema() -> None:
    result = autodiff("eval", *SEED, "--json")
    assert result.out.count("\n") == 1
    document = json.loads(result.out)
    assert list(document) == [
        *("schema", "output", "value", "gradients", "inputs", "nonfinite", "warnings", "printed", "graph")
    ]
    assert document["gradients"] == {"x": 42.0, "y": 28.0}
    graph = document["graph"]
    assert [node["grad_fn"] for node in graph["nodes"] if node["grad_fn"]] == [
        *("MulBackward0", "AddBackward0", "PowBackward0")
    ]
    add = next(node for node in graph["nodes"] if node["op"] == "add")
    assert list(add) == [
        *(
            "id",
            "op",
            "grad_fn",
            "name",
            "shape",
            "dtype",
            "value",
            "grad",
            "requires_grad",
            "is_leaf",
            "span",
        ),
        *("function", "loops"),
    ]
    assert add["span"] == {"line": 1, "column": 4, "end_line": 1, "end_column": 9, "text": "x*y+1"}
    assert (add["value"], add["grad"]) == (7.0, 14.0)
    assert all(list(edge) == ["source", "target", "operand"] for edge in graph["edges"])


def test_json_of_a_value_used_twice_has_two_edges() -> None:
    graph = json.loads(autodiff("eval", "x*x", "--x", "3", "--json").out)["graph"]
    assert graph["edges"] == [
        {"source": 0, "target": 1, "operand": 0},
        {"source": 0, "target": 1, "operand": 1},
    ]


def test_json_says_what_is_not_finite() -> None:
    document = json.loads(autodiff("eval", "1/x", "--x", "0", "--json").out)
    assert document["value"] == "inf"
    assert document["gradients"] == {"x": "-inf"}
    assert set(document["nonfinite"]) >= {"value", "gradients.x"}


def test_json_of_a_large_graph_counts_its_nodes() -> None:
    program = "for i in range(20000) { z = z*x }\nz"
    argv = ("eval", program, "--z", "1", "--x", "1", "--json")
    assert json.loads(autodiff(*argv).out)["graph"] == {"nodes": None, "count": 20002}
    nodes = json.loads(autodiff(*argv, "--graph", "full").out)["graph"]["nodes"]
    assert len(nodes) == 20002
    assert nodes[-1]["loops"] == [{"line": 1, "iteration": 20000}]


def test_what_the_program_prints_comes_first_and_once() -> None:
    argv = ("eval", 'print("a", 1); x*2', "--x", "3")
    assert autodiff(*argv).out.startswith("a 1\nx*2 = 6\n\ngraph")
    document = json.loads(autodiff(*argv, "--json").out)
    assert "".join(document["printed"]) in ("a 1", "a 1\n")


def test_a_missing_gradient_is_told_and_is_no_zero() -> None:
    result = autodiff("eval", "y = x.detach() * 2", "--x", "3")
    assert result.status == 0
    assert result.out == "y = 6\n\nname  value  gradient\nx         3      none\n"
    assert result.err.startswith("warning: no gradient of x: ")
    document = json.loads(autodiff("eval", "y = x.detach() * 2", "--x", "3", "--json").out)
    assert document["gradients"] == {"x": None}
    assert len(document["warnings"]) == 1


def test_several_outputs() -> None:
    argv = ("eval", "a = x*2; b = x*x", "--x", "3", "--of", "a", "--of", "b")
    assert autodiff(*argv).out.startswith("a = 6\nb = 9\n")
    document = json.loads(autodiff(*argv, "--json").out)
    assert document["outputs"] == {"a": 6.0, "b": 9.0}
    assert document["output"] == "a"


def test_a_program_without_a_value_shows_what_it_printed() -> None:
    assert autodiff("eval", 'print("hi")') == (0, "hi\n", "")


def test_arrays() -> None:
    result = autodiff("eval", "y = x*w", "--x", "[1,2,3]", "--w", "[4,5,6]", "--seed", "[1,1,1]")
    assert result.out.startswith("y = [4, 10, 18]\n")
    assert "x     [1, 2, 3]  [4, 5, 6]" in result.out
    matrix = "[[1.5, 2], [3, 4], [5, 6]]"
    wide = autodiff("eval", "y = x*1", "--x", matrix, "--seed", matrix, variables={"COLUMNS": "24"})
    assert wide.out.startswith("y =\ntensor([[1.5000, 2.0000],\n        [3.0000, 4.0000],\n")


def test_values_that_are_no_tensors() -> None:
    assert autodiff("eval", "n = 3").out == "n = 3\n"
    assert autodiff("eval", "s = 'a'").out == "s = 'a'\n"
    assert json.loads(autodiff("eval", "[x, 1, {'k': (x, None)}]", "--x", "2", "--json").out)["value"] == [
        *(2.0, 1, {"k": [2.0, None]})
    ]


def test_numbers_follow_ofmt_in_text_alone() -> None:
    result = autodiff("eval", "y = x/3", "--x", "1", "--ofmt", "%.3f")
    assert "y = 0.333\n" in result.out
    assert "x     1.000     0.333" in result.out
    assert json.loads(autodiff("eval", "x/3", "--x", "1", "--ofmt", "%.3f", "--json").out)["value"] == 1 / 3


def test_the_result_in_a_file(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    assert autodiff("eval", *SEED, "-o", str(target), terminal=True) == (0, "", "")
    assert target.read_text(encoding="utf-8") == TREE
    assert autodiff("eval", "1/", "-o", str(target)).status == 3
    assert target.read_text(encoding="utf-8") == TREE


def test_the_graph_can_be_left_out() -> None:
    result = autodiff("eval", *SEED, "--graph", "none")
    assert result.out == "z = 49\n\nname  value  gradient\nx         2        42\ny         3        28\n"


def test_program_from_standard_input_and_from_files(tmp_path: Path) -> None:
    assert autodiff("eval", "-", "--x", "2", stdin=b"y = x*3\ny*y\n").out.startswith("y*y = 36\n")
    (tmp_path / "m.ad").write_text("x: input = 2.0\nn: const = 3\ny = x**n\n")
    assert autodiff("eval", str(tmp_path / "m.ad")).out.startswith("y = 8\n")
    assert autodiff("eval", str(tmp_path / "m.ad"), "--x", "3", "--n", "2").out.startswith("y = 9\n")


def test_values_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[1, 2]")
    result = autodiff("grad", "y = x*x", "--x", f"@{tmp_path}/x.json", "--seed", "[1, 10]", "--wrt", "x")
    assert result.out == "[2.0, 40.0]\n"


@pytest.mark.parametrize(
    ("argv", "status", "last"),
    [
        (("eval", "x*y", "--x", "2"), 2, "hint: give it one, as in --y 1.0"),
        (("eval", "x*y", "--x", "2", "--z", "3", "--y", "1"), 2, "hint: its inputs are x, y"),
        (("eval", "x*y", "--jsno", "1", "--x", "2", "--y", "1"), 2, "hint: did you mean --json?"),
        (("eval", "json*x", "--x", "2"), 2, "hint: give it one, as in --set json=1.0"),
        (("eval", "x*y", "--x", "2", "--y", "1", "--wrt", "yy"), 2, "hint: did you mean --wrt y?"),
        (("eval", "x*y", "--x", "2", "--y", "1", "--of", "q"), 2, None),
        (("eval", "x +", "--x", "2"), 3, None),
        (("eval", "x*y", "--x", "[1,2]", "--y", "[1,2,3]"), 4, None),
        (("eval", "y = x*2", "--x", "[1,2]"), 4, None),
        (("eval", "x", "--x", "two"), 5, None),
        (("eval", "assert x > 3, 'small'", "--x", "2"), 1, None),
        (("eval", "nothing.ad"), 2, "error: there is no file nothing.ad"),
        (("eval",), 2, None),
    ],
)
def test_exit_codes_and_what_to_write(argv: tuple[str, ...], status: int, last: str | None) -> None:
    result = autodiff(*argv)
    assert (result.status, result.out) == (status, "")
    lines = result.err.splitlines()
    assert any(line.startswith("error: ") for line in lines)
    if last is not None:
        assert lines[-1] == last
    as_json = autodiff(*argv, "--json")
    assert (as_json.status, as_json.out) == (status, "")
    error = json.loads(as_json.err)["error"]
    assert list(error) == ["code", "message", "hint", "file", "line", "column"]
    assert f"error: {error['message']}" in result.err


def test_a_source_that_is_the_name_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model").write_text("x*2")
    assert autodiff("eval", "model").err.endswith("there is a file of that name; to run it, write @model\n")
    assert autodiff("eval", "@model", "--x", "1").status == 0


def test_grad_prints_a_line_a_name() -> None:
    assert autodiff("grad", *SEED) == (0, "x\t42\ny\t28\n", "")
    assert autodiff("grad", *SEED, "--wrt", "y,x").out == "y\t28\nx\t42\n"
    assert autodiff("grad", *SEED, "--no-grad", "x").out == "y\t28\n"


def test_grad_of_one_name_is_the_bare_number() -> None:
    assert autodiff("grad", *SEED, "--wrt", "x").out == "42\n"
    assert autodiff("grad", "x/3", "--x", "1", "--wrt", "x").out == f"{1 / 3!r}\n"
    assert autodiff("grad", "x/3", "--x", "1", "--wrt", "x", "--ofmt", "%.2f").out == "0.33\n"


def test_grad_of_arrays_are_json_lists() -> None:
    argv = ("grad", "y = x*w", "--x", "[[1,2],[3,4]]", "--w", "3", "--seed", "[[1,1],[1,1]]")
    assert autodiff(*argv).out == "x\t[[3.0, 3.0], [3.0, 3.0]]\nw\t10\n"
    assert autodiff(*argv, "--wrt", "x", "--ofmt", "%.1f").out == "[[3.0, 3.0], [3.0, 3.0]]\n"


def test_grad_of_an_intermediate_value() -> None:
    assert autodiff("grad", "h = x*y; z = (h+1)**2", "--x", "2", "--y", "3", "--wrt", "h").out == "14\n"


def test_grad_without_a_gradient_says_null_and_why() -> None:
    result = autodiff("grad", "x.detach()*y", "--x", "1", "--y", "2")
    assert result.out == "x\tnull\ny\t1\n"
    assert result.err.startswith("warning: no gradient of x")


def test_grad_keeps_what_the_program_prints_out_of_the_result() -> None:
    assert autodiff("grad", "print('hi'); x*x", "--x", "3") == (0, "x\t6\n", "hi\n")


def test_grad_as_json() -> None:
    document = json.loads(autodiff("grad", *SEED, "--wrt", "x", "--json").out)
    assert document["gradients"] == {"x": 42.0}
