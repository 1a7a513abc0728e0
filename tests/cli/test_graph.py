"""`autodiff graph` and `autodiff stats` from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.harness import autodiff

SEED = ("z=(x*y+1)**2", "--x", "2", "--y", "3")
LOOP = ("for i in range(40): z = z*x + 1\nz", "--z", "1", "--x", "0.5")


def test_without_a_format_it_is_evals_tree() -> None:
    assert autodiff("graph", *SEED).out in autodiff("eval", *SEED).out


@pytest.mark.parametrize(
    ("ending", "begins"),
    [
        ("dot", b"digraph "),
        ("gv", b"digraph "),
        ("mmd", b"flowchart TD\n"),
        ("svg", b"<svg "),
        ("png", b"\x89PNG"),
        ("html", b"<!doctype html>"),
        ("json", b'{"schema": 1'),
        ("txt", b"graph "),
    ],
)
def test_the_ending_tells_the_format(ending: str, begins: bytes, tmp_path: Path) -> None:
    target = tmp_path / f"graph.{ending}"
    assert autodiff("graph", *SEED, "-o", str(target)) == (0, "", "")
    assert target.read_bytes().startswith(begins)


def test_to_wins_over_the_ending(tmp_path: Path) -> None:
    target = tmp_path / "graph.txt"
    assert autodiff("graph", *SEED, "--to", "dot", "-o", str(target)).status == 0
    assert target.read_text(encoding="utf-8").startswith("digraph")


def test_folding() -> None:
    assert autodiff("graph", *LOOP, "--to", "dot").out.count("[label=") == 4
    assert autodiff("graph", *LOOP, "--to", "dot", "--unfold").out.count("[label=") == 82
    short = ("for i in range(3): z = z*x\nz", "--z", "1", "--x", "0.5", "--to", "dot")
    assert "turns" not in autodiff("graph", *short).out
    assert "× 3 turns" in autodiff("graph", *short, "--fold-loops").out


def test_what_nodes_show() -> None:
    out = autodiff("graph", *SEED, "--to", "mermaid", "--show", "shape", "--show", "line").out
    assert "scalar float64" in out and "line 1" in out and "grad" not in out


def test_what_the_program_prints_stays_out_of_the_picture() -> None:
    result = autodiff("graph", "print('hi'); x*x", "--x", "3", "--to", "dot")
    assert result.out.startswith("digraph") and result.err == "hi\n"


def test_the_graph_of_the_last_backward_where_the_output_has_none() -> None:
    program = "w = tensor(1.0, requires_grad=True)\nloss = (w - 3)**2\nloss.backward()\nwith torch.no_grad():\n    w -= w.grad\ng = w.grad\ng"
    result = autodiff("graph", program, "--to", "dot")
    assert "PowBackward0" in result.out and "last backward()" in result.err
    assert "the output has no graph" in autodiff("graph", "3 + 4").err


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (("--around", "yy"), "did you mean --around y?"),
        (("-o", "graph.pdf"), "say which with --to: dot, html, json, mermaid, png, svg, tree"),
        (("--fold-loops", "--unfold", "--to", "dot"), "contradict"),
        (("--show", "colour"), "write for example value,grad,shape,line,saved"),
        (("--depth", "-1"), "--depth"),
        (("--to", "gif"), "'gif' is not one of tree, dot"),
    ],
)
def test_slips(argv: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = autodiff("graph", *SEED, *(argv if "-o" in argv or "--to" in argv else (*argv, "--to", "dot")))
    assert (result.status, result.out) == (2, "")
    assert told in result.err


def test_a_png_does_not_go_to_a_terminal() -> None:
    result = autodiff("graph", *SEED, "--to", "png", terminal=True)
    assert result.status == 2 and "-o graph.png" in result.err


def test_a_graph_too_large_to_unfold() -> None:
    program = ("for i in range(60000): z = z*x\nz", "--z", "1", "--x", "1", "--to", "dot")
    assert "× 60,000 turns" in autodiff("graph", *program).out
    result = autodiff("graph", *program, "--unfold")
    assert result.status == 2 and "60,002 nodes" in result.err


def test_a_picture_that_no_viewer_could_show() -> None:
    program = ("s = sum([sin(x*i) for i in range(3000)])\ns", "--x", "1")
    result = autodiff("graph", *program, "--to", "html")
    assert (result.status, result.out) == (2, "") and "12,002 nodes" in result.err and "--around NAME" in result.err
    assert autodiff("graph", *program, "--to", "html", "--around", "s").status == 0


def test_an_output_that_is_a_leaf_is_a_graph() -> None:
    assert autodiff("graph", "z = x", "--x", "1", "--to", "dot").err == ""


def test_json_takes_the_options_of_pictures() -> None:
    def document(*options: str) -> dict[str, Any]:
        return json.loads(autodiff("graph", NEST, *NEST_INPUTS, "--to", "json", *options).out)

    assert "drawn" not in document()
    drawn = document("--fold-loops", "--depth", "0")["drawn"]
    assert [(node["kind"], node["title"], node["times"]) for node in drawn["nodes"] if node["kind"] == "call"] == [
        ("call", "f()", 12)
    ]
    assert any(edge["carried"] for edge in drawn["edges"]) and len(drawn["roots"]) == 1
    assert len(document("--unfold")["drawn"]["nodes"]) > 40
    assert {node["title"] for node in document("--around", "d", "--radius", "1")["drawn"]["nodes"]} == {
        "d = x.detach()",
        "x*d",
    }


def test_stats() -> None:
    result = autodiff("stats", *LOOP)
    lines = [line.split() for line in result.out.splitlines()]
    assert ["nodes", "122", "(2", "leaves,", "80", "operations,", "40", "constants)"] in lines
    assert ["edges", "160"] in lines and ["depth", "80"] in lines
    assert ["MulBackward0", "40", "328", "B"] in lines


@pytest.mark.parametrize("own", [False, True])
def test_stats_of_a_large_graph_are_exact(own: bool) -> None:
    program = "for i in range(30000): z = z*x + 1" + ("\nz.backward()" if own else "")
    document = json.loads(autodiff("stats", program + "\nz", "--z", "1", "--x", "0.5", "--json").out)
    assert document["nodes"] == {"all": 90_002, "leaves": 2, "operations": 60_000, "constants": 30_000}
    # each product keeps the z that it had, and all of them the one x
    assert document["bytes"]["saved"] == 8 * 30_000 + 8
    assert document["operations"][1] == {"grad_fn": "MulBackward0", "nodes": 30_000, "saved_bytes": 8 * 30_000 + 8}
    assert document["lines"][0]["nodes"] == 60_000


def test_stats_say_what_they_leave_out() -> None:
    program = ("for i in range(60000): x = sin(x)\nx", "--x", "1")
    assert "of graphs of up to 50,000 nodes" in autodiff("stats", *program).out
    assert json.loads(autodiff("stats", *program, "--json").out)["contributions"] is False


def test_a_large_graph_that_the_program_went_back_through_has_gradients() -> None:
    program = "for i in range(8000): z = z*0.9995 + x\nz.backward()\nz"
    out = autodiff("graph", program, "--z", "1", "--x", "0.5", "--to", "dot").out
    first = f"{0.9995**8000:.3g}"
    assert f"grad {first}" in out and "grad 1" in out and "no gradient" not in out


NEST = """\
def f(a): return sin(a)*k
for i in range(3):
    y = x*2
    for j in range(4): x = f(x) + y
d = x.detach()
x*d"""
NEST_INPUTS = ("--x", "1", "--k", "0.5", "--no-grad", "k")


def tree(*options: str, width: int = 100, encoding: str = "utf-8") -> list[str]:
    result = autodiff("graph", NEST, *NEST_INPUTS, *options, encoding=encoding, variables={"COLUMNS": str(width)})
    assert (result.status, result.err) == (0, "")
    assert max(map(len, result.out.splitlines())) <= width
    return result.out.splitlines()


def test_the_tree_takes_every_option() -> None:
    folded = tree("--fold-loops")
    assert folded[0].split() == ["graph", "turns", "operation", "value", "gradient"]
    assert any("x = f(x) + y" in line and "× 12" in line for line in folded)
    assert any("above, turn before: x" in line for line in folded)
    assert any("◌ d = x.detach()" in line and "detached" in line for line in folded)
    assert sum("sin(a)" in line for line in tree("--unfold")) >= 12
    calls = tree("--fold-loops", "--depth", "0")
    assert any("f()" in line and "call" in line for line in calls) and not any("sin(a)" in line for line in calls)
    near = tree("--fold-loops", "--around", "y", "--radius", "1")
    assert [line.split("  ")[0] for line in near[1:3]] == ["[1] x = f(x) + y", "└─ y = x*2"]
    assert "● x" in near[3] and "[1] above, turn before: x" in near[4] and len(near) == 5
    shown = tree("--fold-loops", "--show", "shape,line,saved", width=120)
    assert shown[0].split() == ["graph", "turns", "operation", "shape", "line", "saved"]
    assert any("scalar float64" in line and "operand 2: 8 bytes" in line for line in shown)
    local = tree("--fold-loops", "--edges", "local", width=120)
    assert local[0].split()[-1] == "local"
    assert next(line for line in local if "y = x*2" in line).split()[-1] == "1"
    assert next(line for line in local if line.endswith(" 2")).split()[-2:] != ["gradient", "2"]


@pytest.mark.parametrize("width", [40, 60, 80, 200])
@pytest.mark.parametrize(
    "options", [("--fold-loops",), ("--unfold", "--edges", "local", "--show", "value,grad,shape,line,saved")]
)
def test_no_name_or_number_of_a_tree_is_cut(width: int, options: tuple[str, ...]) -> None:
    text = "\n".join(tree(*options, width=width))
    if width != 80:  # there the words of references are
        assert "…" not in text.replace(" … ", "")
    for words in ("MulBackward0", "SinBackward0", "x = f(x) + y", "y = x*2", "detached"):
        assert words in text
    assert "\n".join(tree(*options, width=width, encoding="ascii")).isascii()


def test_text_formats_are_utf8_whatever_the_stream_says(tmp_path: Path) -> None:
    import subprocess
    import sys

    argv = [sys.executable, "-m", "autodiff_cli", "graph", *LOOP, "--to", "svg"]
    done = subprocess.run(argv, capture_output=True, check=True, env={"PYTHONIOENCODING": "latin-1", "PYTHONPATH": "."})
    assert "× 40 turns" in done.stdout.decode("utf-8")


def test_stats_in_ascii_and_in_few_columns() -> None:
    result = autodiff("stats", *LOOP, encoding="ascii", variables={"COLUMNS": "60"})
    assert result.out.isascii() and max(map(len, result.out.splitlines())) <= 60


def test_stats_as_json() -> None:
    document = json.loads(autodiff("stats", "a = x*x\nb = exp(a)", "--x", "2", "--json").out)
    assert document["nodes"] == {"all": 3, "leaves": 1, "operations": 2, "constants": 0}
    assert (document["edges"], document["depth"]) == (3, 2)
    assert document["bytes"] == {"saved": 16, "leaves": 8, "gradients": 8, "exact": True}
    assert document["seconds"]["forward"] > 0 and document["seconds"]["backward"] > 0
    assert [(row["line"], row["nodes"], row["saved_bytes"]) for row in document["lines"]] == [(1, 1, 8), (2, 1, 8)]
    largest = document["lines"][0]["largest"]
    assert largest["to"] == "x" and largest["size"] == pytest.approx(2 * 54.598150033144236)


def test_stats_of_a_large_graph() -> None:
    program = ("for i in range(9000): z = z*x + z\nz", "--z", "1", "--x", "0.5")
    document = json.loads(autodiff("stats", *program, "--json").out)
    assert document["nodes"]["all"] == 18_002 and document["depth"] == 18_000
    assert document["bytes"]["exact"] is True and document["edges"] == 36_000
