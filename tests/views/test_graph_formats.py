"""dot, Mermaid, SVG, PNG and JSON of pictures: their syntax for every text, and the same output on every run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from views.pictures import every_kind, hostile, picture_of, run_of

from autodiff_cli.views.graph_dot import dot_text, quoted
from autodiff_cli.views.graph_html import html_text
from autodiff_cli.views.graph_json import graph_document
from autodiff_cli.views.graph_mermaid import escaped, mermaid_text
from autodiff_cli.views.graph_picture import Options
from autodiff_cli.views.graph_png import png_bytes
from autodiff_cli.views.graph_svg import COLOURS, svg_text

SVG = "{http://www.w3.org/2000/svg}"
# a statement of dot as Graphviz's grammar has it, of what is written here: quoted strings, plain words and numbers
_STRING = r'"(?:[^"\\\n]|\\.)*"'
_ATTRIBUTES = rf"\[(?:\w+=(?:{_STRING}|[\w.]+)(?:, )?)+\]"
_STATEMENT = re.compile(rf"  (?:node|edge|n\d+|n\d+ -> n\d+)(?: {_ATTRIBUTES})?;")


@pytest.mark.parametrize("make", [every_kind, hostile])
def test_dot_is_what_graphvizs_grammar_allows(make) -> None:  # type: ignore[no-untyped-def]
    lines = dot_text(make()).splitlines()
    assert (lines[0], lines[-1]) == ("digraph graph_of_values {", "}")
    for line in lines[1:-1]:
        assert _STATEMENT.fullmatch(line), line


@pytest.mark.skipif(shutil.which("nop") is None, reason="Graphviz is not installed: its parser can't be asked")
@pytest.mark.parametrize("make", [every_kind, hostile])
def test_graphvizs_own_parser_takes_it(make) -> None:  # type: ignore[no-untyped-def]
    done = subprocess.run(["nop"], input=dot_text(make()), capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert len(re.findall(r"^\tn\d+ -> n\d+", done.stdout, re.M)) == len(make().arrows)


def test_dot_strings() -> None:
    assert quoted('a "b" \\n <c>\nd') == r'"a \"b\" \\n <c>\nd"'


def test_dot_tells_kinds_by_shape_and_border() -> None:
    looks = re.findall(r"(shape=\w+), style=\"([\w,]+)\"", dot_text(every_kind()))
    assert len(set(looks)) == 5


@pytest.mark.parametrize("make", [every_kind, hostile])
def test_mermaid_labels_have_no_character_of_its_own(make) -> None:  # type: ignore[no-untyped-def]
    text = mermaid_text(make())
    assert text.startswith("flowchart TD\n")
    labels = re.findall(r'"(.*?)"', text)
    assert len(labels) >= len(make().items)
    for label in labels:
        plain = re.sub(r"<br/>|#\d+;", "", label)
        assert re.fullmatch(r"[\w .,=+\-/()…×]*", plain), label


def test_mermaid_escapes_and_classes() -> None:
    assert escaped('x < "y" #1') == "x #60; #34;y#34; #35;1"
    text = mermaid_text(every_kind())
    # `call` alone is a word of Mermaid's: as a class its parser (version 11) refuses it
    assert ":::callNode" in text and not re.search(r":::call\b", text)
    assert '-.->|"' in text and "next turn" in text


@pytest.mark.parametrize("make", [every_kind, hostile])
@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_svg_is_well_formed_and_asks_for_nothing(make, theme: str) -> None:  # type: ignore[no-untyped-def]
    text = svg_text(make(), theme)
    root = ElementTree.fromstring(text)
    assert len(root.findall(f".//{SVG}g[@class='node']")) == len(make().items)
    assert not re.search(r"(?:href|src|url\()", text) and "<script" not in text
    assert ("prefers-color-scheme" in text) == (theme == "auto")


def test_svg_has_the_texts_of_the_items() -> None:
    root = ElementTree.fromstring(svg_text(picture_of("c = a*(b<2)", {"a": 3.0, "b": 1.0})))
    group = root.findall(f".//{SVG}g[@class='node']")[-1]
    assert [t.text for t in group.iter(f"{SVG}text")] == ["c = a*(b<2)", "MulBackward0", "3", "grad 1"]


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("which", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("behind", ["leaf", "operation", "call", "constant", "detached"])
@pytest.mark.parametrize("ink", ["title", "kind", "times", "value", "grad", "quiet"])
def test_text_stands_out_from_what_is_behind_it(ink: str, behind: str, which: int) -> None:
    """A contrast of 4.5 or more (WCAG 2, AA)."""
    colours = [COLOURS[role][0][1 + which] for role in (ink, behind)]
    dark, light = sorted(_luminance(colour) for colour in colours)
    assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_png_is_twice_the_size_of_the_svg() -> None:
    svg = svg_text(every_kind(), "light")
    data = png_bytes(svg)
    width = float(re.search(r'width="([\d.]+)"', svg)[1])  # type: ignore[index]
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(data[16:20], "big") == round(2 * width)


def test_the_page_holds_all_and_no_text_of_the_program_is_markup() -> None:
    run, source = run_of("y = x*len('</script><b>&amp;')\ny", {"x": 2.0})
    page = html_text(run, source, Options())
    assert "</script><b>" not in page and page.count("</script>") == 2
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert "{{" not in page


def test_json_has_local_derivatives_and_the_folded_graph() -> None:
    run, source = run_of("for i in range(4): x = x*x\nx", {"x": 1.5})
    document = graph_document(run, source, local=True)
    assert [edge["local"] for edge in document["graph"]["edges"][:2]] == [1.5, 1.5]
    assert [node["times"] for node in document["folded"]["nodes"]] == [1, 4]
    assert [edge["times"] for edge in document["folded"]["edges"]] == [1, 3, 1, 3]


PROGRAM = """
import hashlib, sys
sys.path[:0] = {paths!r}
from views.pictures import every_kind, run_of, EVERY_KIND, VALUES
from autodiff_cli.views.graph_dot import dot_text
from autodiff_cli.views.graph_mermaid import mermaid_text
from autodiff_cli.views.graph_svg import svg_text
from autodiff_cli.views.graph_html import html_text
from autodiff_cli.views.graph_picture import Options
run, source = run_of(EVERY_KIND, VALUES)
texts = [dot_text(every_kind()), mermaid_text(every_kind()), svg_text(every_kind()), html_text(run, source, Options())]
print(hashlib.sha256("".join(texts).encode()).hexdigest())
"""


def test_the_same_output_on_every_run() -> None:
    root = Path(__file__).parents[2]
    program = PROGRAM.format(paths=[str(root), str(root / "tests")])
    seen = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(seen) == 1
