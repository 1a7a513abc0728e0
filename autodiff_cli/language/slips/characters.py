"""Characters that come with text pasted from a page or a screen."""

from __future__ import annotations

from autodiff_cli.language.slips.slip import Slip

SLIPS: dict[str, Slip] = {
    "lookalike": Slip("y = x − 1", "`{text}` ({name}) is not the character that it looks like", "write `{instead}`"),
    "exponent": Slip("y = x²", "`{text}`: raised digits do not make a power", "write `{instead}`"),
    "backtick": Slip("y = `x`", "backticks quote nothing here", 'leave them out, or write `"` for a string'),
    "smart-quote": Slip("print(“x”)", "`{text}` is a typographic quote", "write `\"` or `'`"),
    "space": Slip("y =\u00a0x", "there is a character here that looks like a space ({name})", "write a space"),
    "invisible": Slip("y = x\u200b", "there is an invisible character here ({name})", "delete it"),
    "backslash": Slip(
        "y = x \\ + 1",
        "a `\\` carries a line on only where nothing follows it",
        "delete what follows it, or the `\\`",
    ),
    "prompt": Slip(">>> y = x", "`{text}` is a prompt, not a part of the program", "leave it out"),
    "comment": Slip("// a remark", "a comment does not begin with `{text}`", "write `#`"),
    "stray": Slip("y = x $ 2", "`{text}` has no meaning here", None),
}
