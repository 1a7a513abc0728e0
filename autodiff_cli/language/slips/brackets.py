"""Brackets, and what stands between them."""

from __future__ import annotations

from autodiff_cli.language.slips.slip import Slip

SLIPS: dict[str, Slip] = {
    "unclosed": Slip("y = (x + 1\nz = 2", "this `{bracket}` is never closed", "write its `{closing}`"),
    "mismatched": Slip(
        "y = (x + [1)", "`{bracket}` closes nothing: `{opening}` is still open", "write `{closing}` first"
    ),
    "stray-closing": Slip("y = x + 1)", "this `{bracket}` has no opening one before it", "leave it out, or open it"),
    "comma": Slip("y = [1,, 2]", "there is no value before this `,`", "leave it out"),
    "trailing-comma": Slip("import math,", "nothing follows this `,`", "leave it out"),
    "generator-alone": Slip(
        "max(i for i in x, 1)",
        "next to other arguments a generator needs parentheses of its own",
        "write `({text})`",
    ),
    "comprehension-comma": Slip(
        "y = [i, j for i in x]", "several values before `for` need parentheses", "write `[(i, j) for ...]`"
    ),
    "colon-in-set": Slip("y = {1, 2: 3}", "a `:` in a set of values", "in a dict every entry is `key: value`"),
    "dict-value": Slip("y = {1: 2, 3}", "this entry of a dict has no value", "write `key: value`"),
    "equals-in-dict": Slip("y = {a = 1}", "`=` in braces", "write `key: value` for a dict"),
    "colon-in-call": Slip("max(x: 1)", "a `:` in a call", "write `{left}={right}` to name an argument"),
    "with-parentheses": Slip("with (a as b):\n    pass", "`as` inside these parentheses", "leave the parentheses out"),
}
