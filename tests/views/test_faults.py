"""How a fault looks: the place, the line with a caret, the message, the hint last."""

from __future__ import annotations

from autodiff_cli.errors import Fault, RuntimeFault, SyntaxFault
from autodiff_cli.source import Source, Span
from autodiff_cli.views.faults import fault_lines, fault_object, warning_lines
from autodiff_cli.views.text import paint


def shown(fault: Fault, width: int = 80, boxes: bool = True) -> list[str]:
    return paint(fault_lines(fault, width=width, boxes=boxes), False).splitlines()


def at(text: str, part: str, name: str = "f.ad") -> tuple[Source, Span]:
    start = text.index(part)
    return Source(text, name), Span(start, start + len(part))


def test_a_fault_with_a_place() -> None:
    source, span = at("a = 1\nb = a ^ 2\n", "^")
    fault = SyntaxFault("`^` is xor", hint="write **", span=span, source=source)
    assert shown(fault) == ["f.ad:2:7", "    b = a ^ 2", "          ^", "error: `^` is xor", "hint: write **"]


def test_a_fault_without_a_place_is_its_message() -> None:
    assert shown(Fault("no")) == ["error: no"]
    assert shown(Fault("one\ntwo", hint="a\nb")) == ["error: one", "       two", "hint: a", "      b"]


def test_other_places_come_first() -> None:
    source, span = at("y = exp(x)\nx.add_(1)\ny.backward()\n", "y.backward()")
    notes = ((Span(4, 10), "saved here"), (Span(11, 20), "changed here"))
    fault = RuntimeFault("x was changed", span=span, source=source, notes=notes)
    lines = shown(fault)
    assert lines[0] == "f.ad:1:5: saved here"
    assert lines[2] == "        ^^^^^^"
    assert lines[3] == "f.ad:2:1: changed here"
    assert lines[6] == "f.ad:3:1"
    assert lines[-1] == "error: x was changed"


def test_carets_end_with_the_line() -> None:
    source, span = at("f(a,\n  b)", "f(a,\n  b)")
    assert shown(Fault("no", span=span, source=source))[1:3] == ["    f(a,", "    ^^^^"]
    end = Source("x +", "f.ad")
    assert shown(Fault("no", span=Span(3, 3), source=end))[1:3] == ["    x +", "       ^"]


def test_carets_stand_under_wide_characters_and_after_tabs() -> None:
    source, span = at("\tn = '漢字' ^ 2", "^")
    line, carets = shown(Fault("no", span=span, source=source))[1:3]
    assert line == "     n = '漢字' ^ 2"
    assert carets.index("^") == len("     n = '漢字' ") + 2


def test_escape_sequences_of_a_program_do_not_reach_the_terminal() -> None:
    source, span = at("x = 1 \x1b[31m", "x")
    assert "\x1b" not in "".join(shown(Fault("bad \x1b[2J", span=span, source=source)))


def test_a_long_line_is_shown_around_the_caret() -> None:
    text = "y = " + " + ".join(f"x{i}" for i in range(200))
    for part in ("x0 ", "x100 ", "x199"):
        source, span = at(text, part)
        _, line, carets, _ = shown(Fault("no", span=span, source=source), width=60)
        assert len(line) <= 60
        assert line[carets.index("^") : len(carets)] == part
    assert "…" in line
    assert "..." in shown(Fault("no", span=span, source=source), width=60, boxes=False)[1]


def test_the_object_of_json() -> None:
    source, span = at("a = 1\nb = a ^ 2\n", "^")
    fault = SyntaxFault("xor", hint="write **", span=span, source=source)
    assert fault_object(fault) == {
        "code": "syntax",
        "message": "xor",
        "hint": "write **",
        "file": "f.ad",
        "line": 2,
        "column": 7,
    }
    assert fault_object(Fault("no"))["line"] is None


def test_a_warning_is_one_line() -> None:
    assert paint(warning_lines(["a\nb"]), False) == "warning: a b\n"
