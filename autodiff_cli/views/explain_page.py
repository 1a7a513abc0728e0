"""A backward pass as a page: Markdown, or a LaTeX document that compiles with what every TeX has.

Both have the steps as a table, what contributions added to, and the gradients; or, with `--symbolic`, the formulas.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from autodiff_cli.source import Source
from autodiff_cli.views.explain import Explanation
from autodiff_cli.views.explain_element import Entry
from autodiff_cli.views.explain_math import escaped, math, name, typed
from autodiff_cli.views.explain_symbolic import Symbolic
from autodiff_cli.views.explain_text import HEADINGS, step_cells, told_below
from autodiff_cli.views.numbers import array_text
from autodiff_cli.views.report import gradient_rows
from autodiff_cli.views.text import Look

WIDTH = 200  # columns that numbers are made for
CODE = frozenset(("node", "operand", "derivative"))


def _heading(run: Any, source: Source) -> str:
    if source.name not in ("<command line>", "<stdin>"):
        return source.name
    return f"{run.output or 'A program'}"


def _title(explained: Explanation) -> str:
    which = "" if explained.passes == 1 else f", pass {explained.number:,} of {explained.passes:,}"
    return f"Backward{which}" + ("" if explained.line is None else f" (line {explained.line})")


def _inputs(run: Any, look: Look) -> list[tuple[str, str]]:
    return [(key, array_text(value, 60, ofmt=look.ofmt, ascii_only=True)) for key, value in run.inputs.items()]


def _gradients(run: Any, look: Look, wrt: Sequence[str]) -> list[tuple[str, str, str]]:
    def number(value: Any) -> str:
        return "none" if value is None else array_text(value, 60, ofmt=look.ofmt, ascii_only=True)

    return [(key, "" if value is None else number(value), number(grad)) for key, value, grad in gradient_rows(run, wrt)]


# --- Markdown --------------------------------------------------------------------------------------------------------


def markdown_text(
    run: Any,
    explained: Sequence[Explanation],
    source: Source,
    *,
    ofmt: str | None = None,
    wrt: Sequence[str] = (),
    all_steps: bool = False,
    entry: Entry = (),
    formulas: Symbolic | None = None,
) -> str:
    """The page in Markdown (with tables, as GitHub's). Ends in the same gradients as `eval`."""
    look = Look(WIDTH, False, ofmt)
    parts = [f"# The gradients of {_code(_heading(run, source))}\n", _fenced(source.text)]
    if run.inputs:
        parts.append("\n".join(f"* {_code(key)} = {value}" for key, value in _inputs(run, look)) + "\n")
    if run.outputs and run.output:
        numeric = hasattr(run.value, "dtype") or isinstance(run.value, (int, float))
        shown = array_text(run.value, 60, ofmt=ofmt, ascii_only=True) if numeric else str(run.value)
        parts.append(f"{_code(run.output)} = {shown}\n")
    if formulas is not None:
        parts += ["## Formulas\n", _formulas(formulas, wrt)]
    for one in () if formulas is not None else explained:
        if not one.passes:
            continue
        parts.append(f"## {_title(one)}\n")
        cells = step_cells(one, look, all_steps, entry)
        rows = [
            [_code(c) if h in CODE and c else _cell(c) for h, c in zip(HEADINGS, row, strict=True)] for row in cells
        ]
        parts.append(_pipes(HEADINGS, rows))
        notes = told_below(one, look, entry, all_steps=all_steps)
        if notes:
            parts.append("\n".join(f"* {_cell(note)}" for note in notes) + "\n")
    rows = [[_code(a), _cell(b), _cell(c)] for a, b, c in _gradients(run, look, wrt)]
    if rows:
        parts += ["## Gradients\n", _pipes(("name", "value", "gradient"), rows)]
    return "\n".join(parts)


def _formulas(formulas: Symbolic, wrt: Sequence[str]) -> str:
    told = [
        f"* d {_code(formulas.output)} / d {_code(d.name)} = {_code(d.formula)}"
        for d in formulas.derivatives
        if not wrt or d.name in wrt
    ]
    if formulas.definitions:
        told += ["\nwhere\n", *(f"* {_code(name)} = {_code(text)}" for name, text in formulas.definitions)]
    return "\n".join(told) + "\n"


def _fenced(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}python\n{text.rstrip()}\n{fence}\n"


def _code(text: str) -> str:
    ticks = "``" if "`" in text else "`"
    return f"{ticks}{text}{ticks}".replace("|", "\\|")


def _cell(text: str) -> str:
    for c in "\\`*_{}[]<>#|":
        text = text.replace(c, "\\" + c)
    return text


def _pipes(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    right = [":---" if h in CODE or h == "name" else "---:" for h in head]
    return "".join("| " + " | ".join(row) + " |\n" for row in [head, right, *rows])


# --- LaTeX -----------------------------------------------------------------------------------------------------------

_PREAMBLE = r"""\documentclass[a4paper,landscape]{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage{amsmath}
\usepackage{longtable}
\ifdefined\pdfpagewidth \pdfpagewidth=\paperwidth \pdfpageheight=\paperheight \fi
\setlength{\oddsidemargin}{-0.6cm}
\setlength{\topmargin}{-1.2cm}
\setlength{\textwidth}{26cm}
\setlength{\textheight}{16cm}
\setlength{\tabcolsep}{4pt}
\setlength{\LTleft}{0pt}
\allowdisplaybreaks
\begin{document}
\footnotesize
"""
_WIDTHS = (4.5, 0.8, 3.2, 4.2, 2.8, 2.6, 2.8, 2.8)  # cm, of the columns of steps
_FITS = 6  # characters of mathematics that a centimetre holds: a longer formula is typed, which can break


def latex_text(
    run: Any,
    explained: Sequence[Explanation],
    source: Source,
    *,
    ofmt: str | None = None,
    wrt: Sequence[str] = (),
    all_steps: bool = False,
    entry: Entry = (),
    formulas: Symbolic | None = None,
) -> str:
    """The page as a LaTeX document. Ends in the same gradients as `eval`."""
    look = Look(WIDTH, False, ofmt)
    out = [_PREAMBLE, f"\\section*{{The gradients of {typed(_heading(run, source))}}}\n"]
    lines = source.text.rstrip().split("\n")
    out.append("\\noindent" + "\\\\\n".join(f"\\texttt{{{_spaced(line)}}}" for line in lines) + "\n\n")
    for key, value in _inputs(run, look):
        out.append(f"\\noindent ${name(key)} =$ {typed(value)}\\\\\n")
    if formulas is not None:
        out.append(_equations(formulas, wrt))
    for one in () if formulas is not None else explained:
        if not one.passes:
            continue
        cells = step_cells(one, look, all_steps, entry)
        rows = [[_formula(c, h, width) for h, c, width in zip(HEADINGS, row, _WIDTHS, strict=True)] for row in cells]
        out += [f"\\subsection*{{{_title(one)}}}\n", _longtable(HEADINGS, rows, _WIDTHS)]
        notes = told_below(one, look, entry, all_steps=all_steps)
        if notes:
            items = "".join(f"\\item {escaped(note)}\n" for note in notes)
            out.append(f"\\begin{{itemize}}\n{items}\\end{{itemize}}\n")
    rows = [[f"${name(a)}$", typed(b), typed(c)] for a, b, c in _gradients(run, look, wrt)]
    if rows:
        out += ["\\subsection*{Gradients}\n", _longtable(("name", "value", "gradient"), rows, (3.0, 7.0, 7.0))]
    return "".join([*out, "\\end{document}\n"])


def _formula(text: str, heading: str, width: float) -> str:
    """A cell of a step."""
    if not text:
        return ""
    return math(text) if heading in CODE and len(text) <= _FITS * width else typed(text)


def _spaced(line: str) -> str:
    """A line of a program, with its indentation."""
    stripped = line.lstrip(" ")
    indent = len(line) - len(stripped)
    return (f"\\hspace*{{{indent / 2}em}}" if indent else "") + escaped(stripped)


def _longtable(head: Sequence[str], rows: Iterable[Sequence[str]], widths: Sequence[float]) -> str:
    columns = "".join(f"p{{{width}cm}}" for width in widths)
    body = "".join(" & ".join(f"\\raggedright {cell}" for cell in row) + " \\tabularnewline\n" for row in rows)
    headings = " & ".join(f"\\emph{{{escaped(h)}}}" for h in head)
    head_row = f"{headings} \\tabularnewline\n\\hline\n\\endhead\n"
    return f"\\begin{{longtable}}{{{columns}}}\n{head_row}{body}\\end{{longtable}}\n"


def _equation(text: str) -> str:
    """A formula; one that is too long for a line is typed, which can break."""
    return math(text) if len(text) <= 150 else typed(text)


def _equations(formulas: Symbolic, wrt: Sequence[str]) -> str:
    """The formulas, each a paragraph, so that a long one can break."""
    output = math(formulas.output).strip("$") if formulas.output.isidentifier() else "f"
    out = ["\\subsection*{Formulas}\n"]
    for d in formulas.derivatives:
        if not wrt or d.name in wrt:
            left = f"\\frac{{\\partial {output}}}{{\\partial {name(d.name)}}}"
            out.append(f"\\noindent $\\displaystyle {left} =$ {_equation(d.formula)}\n\n\\medskip\n")
    for defined, text in formulas.definitions:
        out.append(f"\\noindent ${name(defined)} =$ {_equation(text)}\n\n\\medskip\n")
    return "".join(out)
