"""Lines, indentation, blocks and separators."""

from __future__ import annotations

from autodiff_cli.language.slips.slip import Slip

SLIPS: dict[str, Slip] = {
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
    "no-body": Slip(
        "if x:\ny = 1",
        "the block of `{word}` is missing",
        "indent its statements under the `{word}` line, or write `pass`",
    ),
    "no-body-at-end": Slip(
        "y = 1\nfor i in range(3):",
        "the text ends where the block of `{word}` should begin",
        "write its statements, or `pass`",
    ),
    "indent-in-braces": Slip(
        "for i in range(3) {\n  if i:\n    y = 1\n}",
        "inside braces indentation means nothing, so this `:` has no block",
        "give `{word}` a block in braces as well, or one statement on its own line",
    ),
    "no-colon": Slip(
        "if x\n    y = 1", "the `{word}` line lacks its `:`", "write `{line}:`, or open a block with `{{`"
    ),
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
    "else-after-semicolon": Slip(
        "if x { y = 1 }; else { y = 2 }", "the `;` separates `{word}` from its statement", "leave the `;` out"
    ),
    "else-without-if": Slip("y = 1 else 2", "this `else` has no `if` before it", "write `a if c else b`"),
    "else-alone": Slip(
        "y = 1\nelse:\n    y = 2",
        "there is no `{owner}` that this `{word}` could belong to",
        "line it up with its `{owner}`",
    ),
    "try-alone": Slip(
        "try:\n    y = 1\nz = 2",
        "the `try` has neither `except` nor `finally`",
        "write `except:` with what to do then",
    ),
    "decorator-alone": Slip(
        "@torch.no_grad()\ny = 1",
        "what follows a decorator has to be a function",
        "begin it with `def`, or write `with torch.no_grad():`",
    ),
    "empty-block": Slip(
        "while x { }", "there is nothing between these braces", "write `pass` for a block that does nothing"
    ),
    "block-separator": Slip(
        "while x { x = x - 1 } y",
        "`{word}` follows a block without a separator",
        "write `;` after the `}}`, or begin a new line",
    ),
    "unclosed-block": Slip("for i in range(3) { z = i", "this block is never closed", "write its `}}`"),
    "semicolon": Slip("y = 1;; z = 2", "there is no statement before this `;`", "leave it out"),
    "semicolon-in-bracket": Slip("max(x; y)", "a `;` cannot stand inside brackets", "write `,` between values"),
    "two-on-a-line": Slip(
        "y = x z = y",
        "a second statement begins here without a separator",
        "write `;` before `{word}`, or begin a new line",
    ),
    "statement-mid-line": Slip(
        "y = 1 while x { }",
        "`{word}` begins a statement in the middle of another",
        "write `;` before it, or begin a new line",
    ),
}
