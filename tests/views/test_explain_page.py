"""Explanations as Markdown and as LaTeX."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from cli.harness import autodiff

from autodiff_cli.views.explain_math import escaped, math, typed

SAMPLES = sorted((Path(__file__).parents[2] / "samples").rglob("*.ad"))
SEED = ("z=(x*y+1)**2", "--x", "2", "--y", "3")
NASTY = (
    "h_1 = tanh(w@x + b); l = relu(h_1*h_1).mean() + {'a_b': x.norm()}['a_b'] # 100% $5 & ~ ^ \\ {} \u03b1 \u4e2d | `\""
)
NASTY_INPUTS = ("--w", "[[1,2],[3,4]]", "--x", "[1,2]", "--b", "[0.1,0.2]")
LOOP = "z = x\nfor i in range(3):\n    z = z*theta_2 + sin(z)/2\nabs(z) if z > 0 else -z"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x*y + 1", r"$x \cdot y + 1$"),
        ("(x + 1)*y", r"$\left(x + 1\right) \cdot y$"),
        ("a - (b - c)", r"$a - \left(b - c\right)$"),
        ("1 / (2 * x)", r"$\frac{1}{2 \cdot x}$"),
        ("(a + b)**2", r"$\left(a + b\right)^{2}$"),
        ("(-x)**2", r"$\left(-x\right)^{2}$"),
        ("-x**2", r"$-x^{2}$"),
        ("2**x**y", r"$2^{x^{y}}$"),
        ("theta_1 * loss", r"$\theta_{1} \cdot \mathit{loss}$"),
        ("sin(x) + foo_bar(x, k=2)", r"$\sin\left(x\right) + \operatorname{foo\_bar}\left(x, \mathit{k}=2\right)$"),
        ("sqrt(abs(x))", r"$\sqrt{\left|x\right|}$"),
        ("g @ b.mT", r"$g\,b^{\top}$"),
        ("x.norm()", r"$\operatorname{norm}\left(x\right)$"),
        ("1 if x > 0 else 0", r"$\begin{cases} 1 & x > 0 \\ 0 & \text{else} \end{cases}$"),
        ("z = x + 1", r"$z = x + 1$"),
        ("1e-05", r"$1 \cdot 10^{-5}$"),
        ("the others' product", r"\texttt{the others\textquotesingle{} product}"),
    ],
)
def test_formulas_in_mathematics(text: str, expected: str) -> None:
    assert math(text) == expected


def balanced(tex: str) -> bool:
    """Whether every brace that is not escaped has its partner."""
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", tex):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


@pytest.mark.parametrize("text", [NASTY, "a{b", "}", "x\\", "$", "\x07", "{'a': 1}[\"a\"]", "\u20ac"])
def test_any_text_is_escaped(text: str) -> None:
    for tex in (escaped(text), typed(text), math(text)):
        assert balanced(tex)
        bare = re.sub(r"\\[\\{}$&#_%]|\\[a-z]+(\{\})?", "", tex)
        assert not re.search(r"[#%&~^]", bare) and "\x07" not in tex
        if tex is not math(text):
            assert "$" not in bare


@pytest.mark.parametrize(
    "argv",
    [
        SEED,
        (NASTY, *NASTY_INPUTS),
        (LOOP, "--x", "0.5", "--theta_2", "2"),
        (LOOP, "--x", "0.5", "--theta_2", "2", "--symbolic"),
    ],
    ids=["seed", "nasty", "loop", "symbolic"],
)
def test_latex_is_whole_and_compiles_where_there_is_a_tex(argv: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "page.tex"
    result = autodiff("explain", *argv, "-o", str(file))
    assert (result.status, result.out) == (0, ""), result.err
    tex = file.read_text(encoding="utf-8")
    assert balanced(tex)
    for environment in ("document", "longtable", "itemize", "cases"):
        assert tex.count(f"\\begin{{{environment}}}") == tex.count(f"\\end{{{environment}}}")
    compiler = shutil.which("pdflatex")
    if compiler is not None:
        command = [compiler, "-interaction=nonstopmode", "-halt-on-error", file.name]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
        assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs a TeX")
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_compiles_and_no_column_runs_into_another(sample: Path, tmp_path: Path) -> None:
    assert autodiff("explain", str(sample), "-o", str(tmp_path / "page.tex")).status == 0
    command = ["pdflatex", "-draftmode", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    too_wide = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide", done.stdout)]
    assert max(too_wide, default=0) < 8  # the space between two columns


def test_markdown_has_steps_and_gradients() -> None:
    text = autodiff("explain", *SEED, "--to", "markdown").out
    assert "| `x*y` |  | `x` | `y` | 3 | 14 | 42 | 42 |" in text
    assert text.endswith("| `x` | 2 | 42 |\n| `y` | 3 | 28 |\n")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {4, 9}


def test_markdown_by_the_ending_of_the_file_and_pipes_escaped(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    autodiff("explain", "y = ((x > 0) | (x < 5)) * x; y.sum()", "--x", "[1,2]", "-o", str(file))
    rows = [line for line in file.read_text().splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {4, 9}


def test_a_page_ends_in_the_gradients_of_eval() -> None:
    for to in ("markdown", "latex"):
        text = autodiff("explain", LOOP, "--x", "0.5", "--theta_2", "2", "--to", to).out
        evaluated = autodiff("grad", LOOP, "--x", "0.5", "--theta_2", "2").out
        for line in evaluated.splitlines():
            assert line.split("\t")[1] in text.replace(r"-{}", "-")
