"""Messages by example: every slip that the language knows, a text that makes it, what is said and what to write instead.

The table is the whole list: the lexer, the builders, `diagnosis.py` (what the parser stumbled over) and `scope.py` name a slip and
supply the parts in braces; tests run every example and compare every message. Nothing here is imported before something is wrong.

A message says what is wrong in the user's own text, a hint what to write. `{{` stands for a brace.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from autodiff_cli.errors import SyntaxFault
from autodiff_cli.source import Span


QUOTED = 60  # characters of the program that a message repeats at most
REPEATED = ("text", "line", "left", "right", "word", "name", "written")  # the parts that are the program's own text


class Slip(NamedTuple):
    example: str  # a program that makes this slip and no other
    message: str
    hint: str | None = None


LAYOUT: dict[str, Slip] = {
    "indent": Slip(
        "y = x\n    + 1",
        "this line is indented, and nothing above it opens a block",
        "move it to the left; to go on with the line above, put the whole expression in parentheses",
    ),
    "indented-first-line": Slip(
        "    y = x\nz = y",
        "the first line is indented, and a later one is not",
        "begin both at the same column",
    ),
    "dedent": Slip(
        "if x:\n        y = 1\n    z = 2",
        "this line is indented less than the one above, but not as far as any block around it",
        "line it up with a statement above",
    ),
    "tabs": Slip(
        "if x:\n        y = 1\n\tz = 2",
        "tabs and spaces are mixed, so that the indentation depends on the width of a tab",
        "indent with spaces alone",
    ),
    "no-body": Slip("if x:\ny = 1", "the block of `{word}` is missing", "indent its statements under the `{word}` line, or write `pass`"),
    "no-body-at-end": Slip("y = 1\nfor i in range(3):", "the text ends where the block of `{word}` should begin", "write its statements, or `pass`"),
    "indent-in-braces": Slip(
        "for i in range(3) {\n  if i:\n    y = 1\n}",
        "inside braces indentation means nothing, so this `:` has no block",
        "give `{word}` a block in braces as well, or one statement on its own line",
    ),
    "no-colon": Slip("if x\n    y = 1", "the `{word}` line lacks its `:`", "write `{line}:`, or open a block with `{{`"),
    "no-colon-lambda": Slip("f = lambda x", "the `lambda` has no `:` and no value", "write `lambda x: x*x`"),
    "block-after-colon": Slip(
        "if x: for i in y: z = i",
        "`{word}` cannot stand on the same line behind a `:`",
        "put it on a line of its own, indented, or use braces: `if x {{ for i in y {{ ... }} }}`",
    ),
    "colon-after-semicolon": Slip(
        "y = 1; for i in range(3): y = y*x",
        "after a `;` a `{word}` needs its block in braces",
        "write `{word} ... {{ ... }}`, or begin a new line",
    ),
    "else-on-line": Slip(
        "if x: y = 1 else: y = 2",
        "`{word}` has to begin a line",
        "write it on the next line, use braces (`if x {{ ... }} else {{ ... }}`), or `y = 1 if x else 2`",
    ),
    "else-after-semicolon": Slip("if x { y = 1 }; else { y = 2 }", "the `;` separates `{word}` from its statement", "leave the `;` out"),
    "else-without-if": Slip("y = 1 else 2", "this `else` has no `if` before it", "write `a if c else b`"),
    "else-alone": Slip("y = 1\nelse:\n    y = 2", "there is no `{owner}` that this `{word}` could belong to", "line it up with its `{owner}`"),
    "try-alone": Slip("try:\n    y = 1\nz = 2", "the `try` has neither `except` nor `finally`", "write `except:` with what to do then"),
    "decorator-alone": Slip("@torch.no_grad()\ny = 1", "what follows a decorator has to be a function", "begin it with `def`, or write `with torch.no_grad():`"),
    "empty-block": Slip("while x { }", "there is nothing between these braces", "write `pass` for a block that does nothing"),
    "block-separator": Slip("while x { x = x - 1 } y", "`{word}` follows a block without a separator", "write `;` after the `}}`, or begin a new line"),
    "unclosed-block": Slip("for i in range(3) { z = i", "this block is never closed", "write its `}}`"),
    "semicolon": Slip("y = 1;; z = 2", "there is no statement before this `;`", "leave it out"),
    "semicolon-in-bracket": Slip("max(x; y)", "a `;` cannot stand inside brackets", "write `,` between values"),
    "two-on-a-line": Slip("y = x z = y", "a second statement begins here without a separator", "write `;` before `{word}`, or begin a new line"),
    "statement-mid-line": Slip("y = 1 while x { }", "`{word}` begins a statement in the middle of another", "write `;` before it, or begin a new line"),
}  # fmt: skip

BRACKETS: dict[str, Slip] = {
    "unclosed": Slip("y = (x + 1\nz = 2", "this `{bracket}` is never closed", "write its `{closing}`"),
    "mismatched": Slip("y = (x + [1)", "`{bracket}` closes nothing: `{opening}` is still open", "write `{closing}` first"),
    "stray-closing": Slip("y = x + 1)", "this `{bracket}` has no opening one before it", "leave it out, or open it"),
    "comma": Slip("y = [1,, 2]", "there is no value before this `,`", "leave it out"),
    "trailing-comma": Slip("import math,", "nothing follows this `,`", "leave it out"),
    "generator-alone": Slip(
        "max(i for i in x, 1)",
        "next to other arguments a generator needs parentheses of its own",
        "write `({text})`",
    ),
    "comprehension-comma": Slip("y = [i, j for i in x]", "several values before `for` need parentheses", "write `[(i, j) for ...]`"),
    "colon-in-set": Slip("y = {1, 2: 3}", "a `:` in a set of values", "in a dict every entry is `key: value`"),
    "dict-value": Slip("y = {1: 2, 3}", "this entry of a dict has no value", "write `key: value`"),
    "equals-in-dict": Slip("y = {a = 1}", "`=` in braces", "write `key: value` for a dict"),
    "colon-in-call": Slip("max(x: 1)", "a `:` in a call", "write `{left}={right}` to name an argument"),
    "with-parentheses": Slip("with (a as b):\n    pass", "`as` inside these parentheses", "leave the parentheses out"),
}  # fmt: skip

OPERATORS: dict[str, Slip] = {
    "caret": Slip("x^2", "`^` is no power: it is Python's exclusive or, which this language does not have", "write `{left}**{right}`"),
    "product": Slip("2x", "an operator is missing between `{left}` and `{right}`", "write `{left}*{right}`"),
    "missing-operator": Slip("y = x z", "an operator is missing between `{left}` and `{right}`", "write `{left}*{right}`, or the operator that you mean"),
    "missing-comma": Slip("print(x y)", "an operator or a comma is missing between `{left}` and `{right}`", "write `{left}*{right}`, or `{left}, {right}`"),
    "missing-comma-string": Slip('print("x" y)', "a comma is missing between `{left}` and `{right}`", "write `{left}, {right}`"),
    "quote-in-string": Slip("print('it's')", "the string ends before `{word}`", "write `\\'` for a quote inside it, or quote it with the other kind"),
    "call-without-parentheses": Slip("y = sin x", "the argument of `{left}` needs parentheses", "write `{left}({right})`"),
    "not-between": Slip("y = x not z", "`not` between two values", "write `{left} not in {right}`, or `{left} and not {right}`"),
    "called-value": Slip("y = (x+1)(x-1)", "`{left}` is no function that could be called", "write `{left}*{right}` for a product"),
    "called-display": Slip("y = [(1, 2) (3, 4)]", "`{left}` is no function that could be called", "write `{left}, {right}` if a comma is missing"),
    "equals-in-condition": Slip("if x = 1:\n    pass", "`=` gives a name its value; it compares nothing", "write `==` to compare"),
    "equals-in-expression": Slip("y = (x = 1)", "`=` in the middle of an expression", "write `==` to compare, or `:=` to give a name its value"),
    "walrus-statement": Slip("y := x", "`:=` is for use inside an expression", "write `=`"),
    "walrus-target": Slip("print(x[0] := 1)", "`:=` can only bind a name", "write an assignment on a line of its own"),
    "augmented-in-expression": Slip("y = (x += 1)", "`{text}` is a statement, not a part of an expression", "put it on a line of its own"),
    "doubled": Slip("x && y", "there is no operator `{text}`", "write `{instead}`"),
    "bang": Slip("y = !x", "there is no operator `!`", "write `not {right}`"),
    "increment": Slip("x++", "there is no `{text}`", "write `{left} {sign}= 1`"),
    "arrow": Slip("f = x -> x*x", "there is no arrow `{text}` for functions", "write `lambda x: x*x`"),
    "reversed-operator": Slip("x => 1", "there is no operator `{text}`", "write `{instead}`"),
    "split-operator": Slip("x + = 1", "the operator is in two pieces", "write `{instead}` without a space"),
    "question-mark": Slip("y = x ? 1 : 2", "`?` has no meaning here", "write `1 if x else 2`"),
    "bars": Slip("y = |x|", "bars do not make an absolute value", "write `abs(...)`"),
    "conditional-without-else": Slip("y = 1 if x", "a value for when the condition is false is missing", "write `... if ... else ...`"),
    "operand": Slip("y = x + * 2", "a value is missing before `{text}`", None),
    "incomplete": Slip("y = x +\nz = 1", "the line ends after `{text}`, where a value is missing", "finish it; an expression in parentheses may go on in the next line"),
    "incomplete-at-end": Slip("y = x *", "the text ends after `{text}`, where something is missing", None),
    "incomplete-statement": Slip("from torch import\ny = 1", "the line ends after `{text}`, where something is missing", None),
}  # fmt: skip

CHARACTERS: dict[str, Slip] = {
    "lookalike": Slip("y = x − 1", "`{text}` ({name}) is not the character that it looks like", "write `{instead}`"),
    "exponent": Slip("y = x²", "`{text}`: raised digits do not make a power", "write `{instead}`"),
    "backtick": Slip("y = `x`", "backticks quote nothing here", "leave them out, or write `\"` for a string"),
    "smart-quote": Slip("print(“x”)", "`{text}` is a typographic quote", "write `\"` or `'`"),
    "space": Slip("y =\u00a0x", "there is a character here that looks like a space ({name})", "write a space"),
    "invisible": Slip("y = x\u200b", "there is an invisible character here ({name})", "delete it"),
    "backslash": Slip("y = x \\ + 1", "a `\\` carries a line on only where nothing follows it", "delete what follows it, or the `\\`"),
    "prompt": Slip(">>> y = x", "`{text}` is a prompt, not a part of the program", "leave it out"),
    "comment": Slip("// a remark", "a comment does not begin with `{text}`", "write `#`"),
    "stray": Slip("y = x $ 2", "`{text}` has no meaning here", None),
}  # fmt: skip

LITERALS: dict[str, Slip] = {
    "unterminated": Slip('print("x)', "this string has no closing `{quote}` on its line", "close it, or use three quotes for a text of several lines"),
    "unterminated-text": Slip('y = """x', "this string has no closing `{quote}`", "close it"),
    "bad-escape": Slip(r'print("\x4")', "`{written}` in a string is the beginning of a character code, and is incomplete", "double the backslash for a backslash"),
    "lone-brace": Slip('print(f"{x}}")', "a `}}` in an f-string that closes nothing", "write `}}}}` for the character"),
    "unclosed-field": Slip('print(f"{x")', "this `{{` of an f-string is never closed", "write its `}}`, or `{{{{` for the character"),
    "empty-field": Slip('print(f"{}")', "there is nothing to show in this field of an f-string", "write a value between the braces"),
    "equals-in-field": Slip('print(f"{x = 1}")', "`=` in a field of an f-string shows the expression before it, and ends there", "write `==` to compare"),
    "bad-conversion": Slip('print(f"{x!d}")', "`!` in a field of an f-string is followed by `r`, `s` or `a`", "write `!r`, or `:` before a format"),
    "bytes": Slip('y = b"x"', "bytes are not in this language", "leave the `b` out for a string"),
    "complex": Slip("y = 3j", "`{text}`: complex numbers are not in this language yet", None),
    "int-too-large": Slip("y = 9223372036854775808", "`{text}` has more than 64 bits: ints go up to 9223372036854775807", "write `{text}.0` for a float"),
    "leading-zero": Slip("y = 007", "`{text}`: a number does not begin with 0", "write `{instead}`; `0o7` would be octal"),
    "underscore": Slip("y = 1__0", "`{text}`: an underscore in a number stands between two digits", "write `{instead}`"),
    "number": Slip("y = 0x1g", "`{text}` is no number", None),
}  # fmt: skip

TARGETS: dict[str, Slip] = {
    "assign-literal": Slip("2 = x", "`{text}` is a value, and cannot be assigned to", "a name stands left of `=`; to compare, write `==`"),
    "assign-call": Slip("sin(x) = 1", "the result of a call, `{text}`, cannot be assigned to", "a name stands left of `=`; to compare, write `==`"),
    "assign-expression": Slip("x + 1 = y", "an expression, `{text}`, cannot be assigned to", "a name stands left of `=`; to compare, write `==`"),
    "assignments-with-comma": Slip("x = 1, y = 2", "`{text}` stands between two `=`, and cannot be assigned to", "write `;` between two assignments"),
    "two-stars": Slip("*a, *b = x", "only one of several names can take what is left over", "leave the second `*` out"),
    "lone-star-target": Slip("*a = x", "a `*` needs other names around it to take what they leave over", "write `*a, = x`, or `a = list(x)`"),
    "lone-star": Slip("y = *x", "a `*` can unpack only into a list, a tuple or a call", "write `[*x]`"),
    "augmented-several": Slip("a, b += 1", "an augmented assignment has one target", "write one statement for each"),
    "annotated-several": Slip("a, b: input", "one name at a time can be declared", "write one statement for each"),
    "delete-expression": Slip("del x + 1", "only a name, an item or an attribute can be deleted", None),
}  # fmt: skip

FUNCTIONS: dict[str, Slip] = {
    "keyword-not-name": Slip("max(x+1=2)", "left of `=` in a call stands the name of a parameter, not `{text}`", "write `==` to compare"),
    "repeated-keyword": Slip("f(a=1, a=2)", "the argument `{name}` is given twice", "leave one out"),
    "positional-after-keyword": Slip("f(a=1, x)", "a positional argument cannot follow a named one (`{after}`)", "put it first, or name it"),
    "repeated-parameter": Slip("def f(a, a): pass", "two parameters are called `{name}`", "rename one"),
    "no-default-after-default": Slip("def f(a=1, b): pass", "`{name}` has no default, but `{before}` before it has one", "give `{name}` a default, or put it first"),
    "after-double-star": Slip("def f(**kw, a): pass", "nothing can follow `**{name}`", "put `**{name}` last"),
    "misplaced-slash": Slip("def f(/, a): pass", "`/` stands once, after the parameters that are positional only", None),
    "second-star": Slip("def f(*a, *b): pass", "there is a `*` among these parameters already", "leave this one out"),
    "bare-star": Slip("def f(a, *): pass", "a `*` alone is followed by the parameters that have to be named", "write them, or leave the `*` out"),
    "parameter": Slip("def f(2): pass", "a parameter is a name, not `{text}`", None),
    "lambda-parentheses": Slip("f = lambda (x, y): x", "the parameters of a `lambda` have no parentheses", "write `lambda x, y: ...`"),
    "def-name": Slip("def (x): pass", "this function has no name", "write `def f(...):`, or `f = lambda x: ...`"),
    "def-parentheses": Slip("def f:\n    pass", "the parameters of a function stand in parentheses, also when there are none", "write `def {name}():`"),
    "bare-except-not-last": Slip("try:\n    y = 1\nexcept:\n    y = 2\nexcept ValueError:\n    y = 3", "an `except` without a class catches everything, so that none can follow", "put it last"),
    "except-comma": Slip("try:\n    y = 1\nexcept ValueError, e:\n    y = 2", "`,` after an error class", "write `except (A, B):` for several, `except A as e:` for a name"),
    "raise-comma": Slip('raise ValueError, "x"', "`,` after `raise` and a class", "write `raise ValueError(\"x\")`"),
}  # fmt: skip

WORDS: dict[str, Slip] = {
    "else-if": Slip("if x:\n    y = 1\nelse if z:\n    y = 2", "`{text}` is one word here", "write `elif`"),
    "then": Slip("if x then\n    y = 1", "there is no `{text}` here", "write `:`"),
    "for-in": Slip("for i = 1:\n    pass", "a `for` names its variable and then says `in`", "write `for {name} in ...`"),
    "global-value": Slip("global x = 1", "`{word}` names variables, and gives them no value", "write the assignment on a line of its own"),
    "print": Slip('print "x"', "`print` is a function", "write `print({right})`"),
    "declaration": Slip("let y = x", "there is no `{word}` before a name here", "{instead}"),
    "keyword-as-name": Slip("lambda = 1", "`{word}` is a word of the language, and no name", "choose another, such as `{word}_`"),
    "keyword-attribute": Slip("x.in", "`{word}` is a word of the language, and no attribute's name", None),
    "statement-as-value": Slip("y = return x", "`{word}` begins a statement, and has no value", None),
    "import-relative": Slip("from . import f", "an import from the folder of a file has no meaning here", "write the function into the program"),
    "text": Slip("y = x: 2", "`{text}` has no place here", None),
}  # fmt: skip

_table: dict[str, Slip] = {}


def slips() -> dict[str, Slip]:
    """The whole table, by name."""
    if not _table:
        from autodiff_cli.language.refusals import MISPLACED, REFUSED

        for part in (
            LAYOUT, BRACKETS, OPERATORS, CHARACTERS, LITERALS, TARGETS, FUNCTIONS, WORDS, REFUSED, MISPLACED
        ):  # fmt: skip
            assert not _table.keys() & part.keys(), "two slips of one name"
            _table.update(part)
    return _table


def fault(
    slip: str,
    span: Span,
    *,
    kind: type[SyntaxFault] = SyntaxFault,
    notes: tuple[tuple[Span, str], ...] = (),
    **parts: Any,
) -> SyntaxFault:
    """The fault that a slip is, at `span`, with the parts that its texts name."""
    _, message, hint = slips()[slip]
    filled = {key: shorten(value) if key in REPEATED else value for key, value in parts.items()}
    hint = None if hint is None else hint.format_map(filled) or None
    return kind(message.format_map(filled), hint=hint, span=span, notes=notes)


def shorten(text: str) -> str:
    """`text` on one line, at a length that a message can quote."""
    text = " ".join(text.split())
    return text if len(text) <= QUOTED else text[: QUOTED - 3] + "..."
