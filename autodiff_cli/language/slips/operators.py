"""Operators that are missing, foreign, or in the wrong place; expressions that end too early."""

from __future__ import annotations

from autodiff_cli.language.slips.slip import Slip

SLIPS: dict[str, Slip] = {
    "caret": Slip(
        "x^2",
        "`^` is no power: it is Python's exclusive or, which this language does not have",
        "write `{left}**{right}`",
    ),
    "product": Slip("2x", "an operator is missing between `{left}` and `{right}`", "write `{left}*{right}`"),
    "missing-operator": Slip(
        "y = x z",
        "an operator is missing between `{left}` and `{right}`",
        "write `{left}*{right}`, or the operator that you mean",
    ),
    "missing-comma": Slip(
        "print(x y)",
        "an operator or a comma is missing between `{left}` and `{right}`",
        "write `{left}*{right}`, or `{left}, {right}`",
    ),
    "missing-comma-string": Slip(
        'print("x" y)', "a comma is missing between `{left}` and `{right}`", "write `{left}, {right}`"
    ),
    "quote-in-string": Slip(
        "print('it's')",
        "the string ends before `{word}`",
        "write `\\'` for a quote inside it, or quote it with the other kind",
    ),
    "call-without-parentheses": Slip(
        "y = sin x", "the argument of `{left}` needs parentheses", "write `{left}({right})`"
    ),
    "not-between": Slip(
        "y = x not z",
        "`not` between two values",
        "write `{left} not in {right}`, or `{left} and not {right}`",
    ),
    "called-value": Slip(
        "y = (x+1)(x-1)",
        "`{left}` is no function that could be called",
        "write `{left}*{right}` for a product",
    ),
    "called-display": Slip(
        "y = [(1, 2) (3, 4)]",
        "`{left}` is no function that could be called",
        "write `{left}, {right}` if a comma is missing",
    ),
    "equals-in-condition": Slip(
        "if x = 1:\n    pass", "`=` gives a name its value; it compares nothing", "write `==` to compare"
    ),
    "equals-in-expression": Slip(
        "y = (x = 1)",
        "`=` in the middle of an expression",
        "write `==` to compare, or `:=` to give a name its value",
    ),
    "walrus-statement": Slip("y := x", "`:=` is for use inside an expression", "write `=`"),
    "walrus-target": Slip("print(x[0] := 1)", "`:=` can only bind a name", "write an assignment on a line of its own"),
    "augmented-in-expression": Slip(
        "y = (x += 1)", "`{text}` is a statement, not a part of an expression", "put it on a line of its own"
    ),
    "doubled": Slip("x && y", "there is no operator `{text}`", "write `{instead}`"),
    "bang": Slip("y = !x", "there is no operator `!`", "write `not {right}`"),
    "increment": Slip("x++", "there is no `{text}`", "write `{left} {sign}= 1`"),
    "arrow": Slip("f = x -> x*x", "there is no arrow `{text}` for functions", "write `lambda x: x*x`"),
    "reversed-operator": Slip("x => 1", "there is no operator `{text}`", "write `{instead}`"),
    "split-operator": Slip("x + = 1", "the operator is in two pieces", "write `{instead}` without a space"),
    "question-mark": Slip("y = x ? 1 : 2", "`?` has no meaning here", "write `1 if x else 2`"),
    "bars": Slip("y = |x|", "bars do not make an absolute value", "write `abs(...)`"),
    "conditional-without-else": Slip(
        "y = 1 if x", "a value for when the condition is false is missing", "write `... if ... else ...`"
    ),
    "operand": Slip("y = x + * 2", "a value is missing before `{text}`", None),
    "incomplete": Slip(
        "y = x +\nz = 1",
        "the line ends after `{text}`, where a value is missing",
        "finish it; an expression in parentheses may go on in the next line",
    ),
    "incomplete-at-end": Slip("y = x *", "the text ends after `{text}`, where something is missing", None),
    "incomplete-statement": Slip(
        "from torch import\ny = 1", "the line ends after `{text}`, where something is missing", None
    ),
}
