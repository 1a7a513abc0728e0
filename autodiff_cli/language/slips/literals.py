"""Strings, f-strings and numbers."""

from __future__ import annotations

from autodiff_cli.language.slips.slip import Slip

SLIPS: dict[str, Slip] = {
    "unterminated": Slip(
        'print("x)',
        "this string has no closing `{quote}` on its line",
        "close it, or use three quotes for a text of several lines",
    ),
    "unterminated-text": Slip('y = """x', "this string has no closing `{quote}`", "close it"),
    "bad-escape": Slip(
        r'print("\x4")',
        "`{written}` in a string is the beginning of a character code, and is incomplete",
        "double the backslash for a backslash",
    ),
    "lone-brace": Slip('print(f"{x}}")', "a `}}` in an f-string that closes nothing", "write `}}}}` for the character"),
    "unclosed-field": Slip(
        'print(f"{x")',
        "this `{{` of an f-string is never closed",
        "write its `}}`, or `{{{{` for the character",
    ),
    "empty-field": Slip(
        'print(f"{}")',
        "there is nothing to show in this field of an f-string",
        "write a value between the braces",
    ),
    "equals-in-field": Slip(
        'print(f"{x = 1}")',
        "`=` in a field of an f-string shows the expression before it, and ends there",
        "write `==` to compare",
    ),
    "bad-conversion": Slip(
        'print(f"{x!d}")',
        "`!` in a field of an f-string is followed by `r`, `s` or `a`",
        "write `!r`, or `:` before a format",
    ),
    "bytes": Slip('y = b"x"', "bytes are not in this language", "leave the `b` out for a string"),
    "complex": Slip("y = 3j", "`{text}`: complex numbers are not in this language yet", None),
    "int-too-large": Slip(
        "y = 9223372036854775808",
        "`{text}` has more than 64 bits: ints go up to 9223372036854775807",
        "write `{text}.0` for a float",
    ),
    "leading-zero": Slip(
        "y = 007", "`{text}`: a number does not begin with 0", "write `{instead}`; `0o7` would be octal"
    ),
    "underscore": Slip(
        "y = 1__0", "`{text}`: an underscore in a number stands between two digits", "write `{instead}`"
    ),
    "number": Slip("y = 0x1g", "`{text}` is no number", None),
}
