"""The parser against Python's own on every corner that both know; alone where the language adds to Python."""

from __future__ import annotations

import ast
import contextlib
import gc
import textwrap
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from language.corpus import EXPRESSIONS, LAYOUTS, STATEMENTS
from language.python_tree import python_shape, shape
from language.trees import modules

from autodiff_cli.errors import Fault, SyntaxFault
from autodiff_cli.language import nodes
from autodiff_cli.language.depth import children
from autodiff_cli.language.parser import parse
from autodiff_cli.language.unparse import unparse
from autodiff_cli.source import Source

pytestmark = pytest.mark.filterwarnings("ignore")  # Python's opinion on what it parses, Hypothesis's on its size


def tree(text: str) -> nodes.Module:
    return parse(Source(text))


def expression(text: str) -> nodes.Expr:
    (statement,) = tree(text).body
    assert isinstance(statement, nodes.ExprStmt)
    return statement.value


def joined(items: list[str]) -> list[str]:
    """Lines of a corpus in which an open bracket or a text of several lines goes on."""
    whole: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for item in items:
            try:
                ast.parse(whole[-1] if whole else "")
            except SyntaxError:
                whole[-1] += "\n" + item
            else:
                whole.append(item)
    return whole


@pytest.mark.parametrize("text", joined(EXPRESSIONS) + STATEMENTS)
def test_reads_what_python_reads(text: str) -> None:
    assert shape(tree(text)) == python_shape(text)


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_reads_any_layout(text: str) -> None:
    assert shape(tree(text)) == python_shape(text.removeprefix("\ufeff"))


@pytest.mark.parametrize("text", [text for text in STATEMENTS if text.isascii()])
def test_an_indented_program_is_the_same_program(text: str) -> None:
    if '"""' not in text:
        assert shape(tree(textwrap.indent(text, "    "))) == shape(tree(text))


# --- spans


def spans(text: str) -> dict[str, set[str]]:
    """The texts of the nodes of each class."""
    found: dict[str, set[str]] = {}
    pending: list[nodes.Node] = [tree(text)]
    while pending:
        node = pending.pop()
        found.setdefault(type(node).__name__, set()).add(Source(text).slice(node.span))
        pending += children(node)
    return found


def python_spans(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(text)):
        segment = ast.get_source_segment(text, node)
        if segment is not None:
            found.setdefault(type(node).__name__, set()).add(segment)
    return found


SAME_NAME = (
    "Name BinOp UnaryOp BoolOp Compare IfExp Call Attribute Subscript Tuple List Set Dict Lambda NamedExpr "
    "Starred Slice Assign AugAssign For While If With FunctionDef Return Try Raise Assert Delete"
)
SAME_SPANS = {
    **{kind: kind for kind in SAME_NAME.split()},
    "Handler": "ExceptHandler",
    "ExprStmt": "Expr",
    "Keyword": "keyword",
}


# Without what Python 3.11 has no good spans for (f-strings), and decorators (of ours a part of a function).
WITH_SPANS = [
    text
    for text in joined(EXPRESSIONS) + STATEMENTS
    if text.isascii() and not any(part in text for part in ("f'", 'f"', "import")) and not text.startswith("@")
]


@pytest.mark.parametrize("text", WITH_SPANS)
def test_spans_are_those_of_python(text: str) -> None:
    ours, theirs = spans(text), python_spans(text)
    for name, python_name in SAME_SPANS.items():
        mine = {segment for segment in ours.get(name, set()) if segment}
        # Python has more where there is an annotation, which we do not keep
        assert mine <= theirs.get(python_name, set()), name


@settings(max_examples=50, deadline=None)
@given(modules())
def test_random_programs(module: nodes.Module) -> None:
    """What is written reads back as it was, and as Python reads it, and has spans that enclose each other."""
    text = unparse(module)
    assert shape(tree(text)) == shape(module)
    assert shape(module) == python_shape(text)
    pending: list[nodes.Node] = [tree(text)]
    assert pending[0].span == (0, len(text))
    while pending:
        node = pending.pop()
        for child in children(node):
            assert node.span.start <= child.span.start <= child.span.end <= node.span.end
            pending.append(child)


def test_spans_inside_an_fstring_are_places_of_the_program() -> None:
    text = 'y = f"a{x + 1!r:>{w}}" f"{f(z)}"'
    found = spans(text)
    assert found["BinOp"] == {"x + 1"}
    assert {"x", "w", "f", "z"} <= found["Name"]
    assert found["Call"] == {"f(z)"}
    assert found["FormattedValue"] == {"{x + 1!r:>{w}}", "{w}", "{f(z)}"}


def test_a_function_and_an_attribute_know_where_their_names_are() -> None:
    text = "def  area (r): return r . imag"
    (function,) = tree(text).body
    assert isinstance(function, nodes.FunctionDef)
    (returned,) = function.body
    assert isinstance(returned, nodes.Return) and isinstance(returned.value, nodes.Attribute)
    assert Source(text).slice(function.name_span) == "area"
    assert Source(text).slice(returned.value.attr_span) == "imag"


# --- f-strings, where Python's version decides what it can read


def test_an_fstring_may_use_its_quotes_inside() -> None:
    assert shape(expression('f"{d["a"]}"')) == shape(expression("f\"{d['a']}\""))
    assert shape(expression('f"{f"{f"{x}"}"}"')) == shape(expression("f'{f\"{f'''{x}'''}\"}'"))


@pytest.mark.parametrize(
    ("text", "shown", "conversion"),
    [
        ('f"{x=}"', "x=", "r"),
        ('f"{x = }"', "x = ", "r"),
        ('f"{ x+1 =  }"', " x+1 =  ", "r"),
        ('f"{x=!s}"', "x=", "s"),
        ('f"{x=:.2f}"', "x=", ""),
        ('f"{f(a=1)=}"', "f(a=1)=", "r"),
        ('f"{a==b=}"', "a==b=", "r"),
    ],
)
def test_an_fstring_shows_its_expression(text: str, shown: str, conversion: str) -> None:
    fstring = expression(text)
    assert isinstance(fstring, nodes.JoinedStr)
    (field,) = fstring.parts
    assert isinstance(field, nodes.FormattedValue)
    assert (field.text, field.conversion) == (shown, conversion)


# --- blocks in braces

BRACES = {
    "for i in range(3) { z = z*x }": "for i in range(3):\n    z = z*x",
    "for i in range(3) { z = z*x; if z > 9 { break } }; z + 1": (
        "for i in range(3):\n    z = z*x\n    if z > 9:\n        break\nz + 1"
    ),
    "a = 1; while a { a -= 1 }; b": "a = 1\nwhile a:\n    a -= 1\nb",
    "if a { b } else { c }": "if a:\n    b\nelse:\n    c",
    "if a { b } elif c { d } else { e }": "if a:\n    b\nelif c:\n    d\nelse:\n    e",
    "if a { b }\nelse { c }\nd": "if a:\n    b\nelse:\n    c\nd",
    "if a { b }\n\n# remark\nelif c { d }": "if a:\n    b\nelif c:\n    d",
    "try { a } except E as e { b } else { c } finally { d }": (
        "try:\n    a\nexcept E as e:\n    b\nelse:\n    c\nfinally:\n    d"
    ),
    "try { a } except { b }": "try:\n    a\nexcept:\n    b",
    "try { a }\nfinally { b }": "try:\n    a\nfinally:\n    b",
    "def f(x) { return x*x }": "def f(x):\n    return x*x",
    "def f(x) -> int { return x }; f(2)": "def f(x):\n    return x\nf(2)",
    "with torch.no_grad() { a }": "with torch.no_grad():\n    a",
    "with a as b { c }": "with a as b:\n    c",
    "for i in x {\n  a\n     b\n c\n}": "for i in x:\n    a\n    b\n    c",
    "for i in x {\n\n a; b;\n\n c\n\n}\nd": "for i in x:\n    a\n    b\n    c\nd",
    "for i in x {a}": "for i in x:\n    a",
    "for i in [1, 2] {a}": "for i in [1, 2]:\n    a",
    "for i in {1, 2} {a}": "for i in {1, 2}:\n    a",
    "for i in (1, 2) { a = {1: 2}; b = {3} }": "for i in (1, 2):\n    a = {1: 2}\n    b = {3}",
    'if "a" { b }': 'if "a":\n    b',
    'if f"{a}" { b }': 'if f"{a}":\n    b',
    "if None { b }": "if None:\n    b",
    "if 1.5 { b }": "if 1.5:\n    b",
    "if x[0] { b }": "if x[0]:\n    b",
    "if x == {1} { b }": "if x == {1}:\n    b",
    "x = a if b else {1: 2}": "x = a if b else {1: 2}",
    "x = {a} if {b} else {c}": "x = {a} if {b} else {c}",
    "if a { x = b if c else {} } else { y }": "if a:\n    x = b if c else {}\nelse:\n    y",
    "return_ = {1: 2}": "return_ = {1: 2}",
    "print({1: 2}, {3})": "print({1: 2}, {3})",
    "if a: b = {1}\nelse { c }": "if a:\n    b = {1}\nelse:\n    c",
    "if a { b }\nelse: c": "if a:\n    b\nelse:\n    c",
    "if a:\n    for i in b { c }\nelse:\n    d": "if a:\n    for i in b:\n        c\nelse:\n    d",
    "if a:\n    for i in b { c }\n    else { d }": "if a:\n    for i in b:\n        c\n    else:\n        d",
    "while a {\n  if b: c\n  else: d\n}": "while a:\n    if b:\n        c\n    else:\n        d",
    "while a { if b: c }": "while a:\n    if b:\n        c",
    "while a { if b: c\n}": "while a:\n    if b:\n        c",
    "while a { f(1,\n  2) }": "while a:\n    f(1, 2)",
    "while a { b } # remark": "while a:\n    b",
    "while a { # remark\n b }": "while a:\n    b",
    "while a { b \\\n + c }": "while a:\n    b + c",
    "while a { while b { while c { d } } }": "while a:\n    while b:\n        while c:\n            d",
    "if a { b }; if c { d } else { e }; f": "if a:\n    b\nif c:\n    d\nelse:\n    e\nf",
    "@no_grad\ndef f() { a }": "@no_grad\ndef f():\n    a",
    "  if a { b }\n  c": "if a:\n    b\nc",
    "if a {\r\n  b\r\n}\r\nelse {\r\n  c\r\n}\r\n": "if a:\n    b\nelse:\n    c",
    "for i in x { {1, 2}; [3] }": "for i in x:\n    {1, 2}\n    [3]",
    "if a { lambda: {1} }": "if a:\n    lambda: {1}",
}


@pytest.mark.parametrize("text", BRACES)
def test_a_block_in_braces_is_a_block(text: str) -> None:
    assert shape(tree(text)) == python_shape(BRACES[text])


@pytest.mark.parametrize("text", STATEMENTS)
def test_any_statement_may_stand_in_braces(text: str) -> None:
    """As they are, if they have no indented block: indentation inside is of no account."""
    if any(line.startswith((" ", "\t")) for line in text.split("\n")) or not text.strip() or "*" in text:
        return
    inside = python_shape(text)[1]
    assert shape(tree(f"while x {{ {text}\n}}")) == ("Module", (("While", ("Name", "x"), inside, ()),))


# --- what is said of a program as a whole


def test_names_are_taken_in_their_normal_form() -> None:
    assert shape(expression("ﬁ")) == ("Name", "fi")
    assert shape(expression("µ")) == shape(expression("μ"))


def test_a_fault_knows_its_source() -> None:
    source = Source("y = 2x", "f.ad")
    with pytest.raises(SyntaxFault) as caught:
        parse(source)
    assert caught.value.source is source


def test_parsing_leaves_the_collector_as_it_was() -> None:
    for text in ("x = 1", "x = "):
        gc.disable()
        with contextlib.suppress(SyntaxFault):
            parse(Source(text))
        assert not gc.isenabled()
        gc.enable()
        with contextlib.suppress(SyntaxFault):
            parse(Source(text))
        assert gc.isenabled()


FRAGMENTS = st.sampled_from(
    [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ";",
        ":",
        ".",
        "=",
        "==",
        "+=",
        ":=",
        "**",
        "*",
        "+",
        "-",
        "/",
        "//",
        "%",
        "@",
        "&",
        "|",
        "^",
        "~",
        "<",
        ">",
        "!=",
        "!",
        "?",
        "$",
        "\\",
        "'",
        '"',
        'f"',
        "f'{",
        "'''",
        "#",
        "\n",
        "\n",
        "",
        "\t",
        "if",
        "else",
        "elif",
        "for",
        "in",
        "while",
        "def",
        "return",
        "lambda",
        "not",
        "and",
        "or",
        "is",
        "None",
        "try",
        "except",
        "finally",
        "with",
        "as",
        "import",
        "from",
        "global",
        "pass",
        "break",
        "x",
        "y",
        "f",
        "1",
        "2.5",
        "3j",
        "0x",
        "1e",
        "2x",
        "−",
        "×",
        "“",
        "²",
        "->",
        "=>",
        "&&",
        "||",
        "++",
        "<>",
        "...",
        "print",
        "class",
        "yield",
        "await",
        "match",
        "torch",
        "math",
        "input",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(FRAGMENTS, max_size=14), st.sampled_from(["", " "]))
def test_any_text_is_a_program_or_a_fault(fragments: list[str], between: str) -> None:
    text = between.join(fragments)
    try:
        tree(text)
    except Fault as fault:
        assert fault.message and fault.span is not None
        assert 0 <= fault.span.start <= fault.span.end <= len(text)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=30))
def test_any_characters_are_a_program_or_a_fault(text: str) -> None:
    try:
        tree(text)
    except SyntaxFault as fault:
        assert fault.message


@settings(max_examples=200, deadline=None)
@given(st.lists(FRAGMENTS, max_size=8))
def test_what_we_refuse_python_refuses_or_we_name_it(fragments: list[str]) -> None:
    """A text that Python reads is read alike, or refused for one of the reasons that the language has."""
    text = " ".join(fragments)
    try:
        wanted = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    assert wanted is not None
    try:
        tree(text)
    except SyntaxFault as fault:
        reasons = (
            "imported",
            "language",
            "exclusive or",
            "unpack",
            "leave over",
            "no function",
            "attributes",
            "folder",
        )
        assert any(reason in fault.message for reason in reasons), fault.message
