"""What cannot be assigned to, declared or deleted."""

from __future__ import annotations

from autodiff_cli.language.slips.slip import Slip

SLIPS: dict[str, Slip] = {
    "assign-literal": Slip(
        "2 = x",
        "`{text}` is a value, and cannot be assigned to",
        "a name stands left of `=`; to compare, write `==`",
    ),
    "assign-call": Slip(
        "sin(x) = 1",
        "the result of a call, `{text}`, cannot be assigned to",
        "a name stands left of `=`; to compare, write `==`",
    ),
    "assign-expression": Slip(
        "x + 1 = y",
        "an expression, `{text}`, cannot be assigned to",
        "a name stands left of `=`; to compare, write `==`",
    ),
    "assignments-with-comma": Slip(
        "x = 1, y = 2",
        "`{text}` stands between two `=`, and cannot be assigned to",
        "write `;` between two assignments",
    ),
    "two-stars": Slip("*a, *b = x", "only one of several names can take what is left over", "leave the second `*` out"),
    "lone-star-target": Slip(
        "*a = x",
        "a `*` needs other names around it to take what they leave over",
        "write `*a, = x`, or `a = list(x)`",
    ),
    "lone-star": Slip("y = *x", "a `*` can unpack only into a list, a tuple or a call", "write `[*x]`"),
    "augmented-several": Slip("a, b += 1", "an augmented assignment has one target", "write one statement for each"),
    "annotated-several": Slip("a, b: input", "one name at a time can be declared", "write one statement for each"),
    "delete-expression": Slip("del x + 1", "only a name, an item or an attribute can be deleted", None),
}
