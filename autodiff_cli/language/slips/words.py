"""Words of other languages, and words of this one where they cannot be."""

from __future__ import annotations

from autodiff_cli.language.slips.slip import Slip

SLIPS: dict[str, Slip] = {
    "else-if": Slip("if x:\n    y = 1\nelse if z:\n    y = 2", "`{text}` is one word here", "write `elif`"),
    "then": Slip("if x then\n    y = 1", "there is no `{text}` here", "write `:`"),
    "for-in": Slip(
        "for i = 1:\n    pass", "a `for` names its variable and then says `in`", "write `for {name} in ...`"
    ),
    "global-value": Slip(
        "global x = 1",
        "`{word}` names variables, and gives them no value",
        "write the assignment on a line of its own",
    ),
    "print": Slip('print "x"', "`print` is a function", "write `print({right})`"),
    "declaration": Slip("let y = x", "there is no `{word}` before a name here", "{instead}"),
    "keyword-as-name": Slip(
        "lambda = 1", "`{word}` is a word of the language, and no name", "choose another, such as `{word}_`"
    ),
    "keyword-attribute": Slip("x.in", "`{word}` is a word of the language, and no attribute's name", None),
    "statement-as-value": Slip("y = return x", "`{word}` begins a statement, and has no value", None),
    "import-relative": Slip(
        "from . import f",
        "an import from the folder of a file has no meaning here",
        "write the function into the program",
    ),
    "text": Slip("y = x: 2", "`{text}` has no place here", None),
}
