"""Parameters, arguments, and the clauses of `try`."""

from __future__ import annotations

from autodiff_cli.language.slips.slip import Slip

SLIPS: dict[str, Slip] = {
    "keyword-not-name": Slip(
        "max(x+1=2)",
        "left of `=` in a call stands the name of a parameter, not `{text}`",
        "write `==` to compare",
    ),
    "repeated-keyword": Slip("f(a=1, a=2)", "the argument `{name}` is given twice", "leave one out"),
    "positional-after-keyword": Slip(
        "f(a=1, x)", "a positional argument cannot follow a named one (`{after}`)", "put it first, or name it"
    ),
    "repeated-parameter": Slip("def f(a, a): pass", "two parameters are called `{name}`", "rename one"),
    "no-default-after-default": Slip(
        "def f(a=1, b): pass",
        "`{name}` has no default, but `{before}` before it has one",
        "give `{name}` a default, or put it first",
    ),
    "after-double-star": Slip("def f(**kw, a): pass", "nothing can follow `**{name}`", "put `**{name}` last"),
    "misplaced-slash": Slip(
        "def f(/, a): pass", "`/` stands once, after the parameters that are positional only", None
    ),
    "second-star": Slip("def f(*a, *b): pass", "there is a `*` among these parameters already", "leave this one out"),
    "bare-star": Slip(
        "def f(a, *): pass",
        "a `*` alone is followed by the parameters that have to be named",
        "write them, or leave the `*` out",
    ),
    "parameter": Slip("def f(2): pass", "a parameter is a name, not `{text}`", None),
    "lambda-parentheses": Slip(
        "f = lambda (x, y): x", "the parameters of a `lambda` have no parentheses", "write `lambda x, y: ...`"
    ),
    "def-name": Slip("def (x): pass", "this function has no name", "write `def f(...):`, or `f = lambda x: ...`"),
    "def-parentheses": Slip(
        "def f:\n    pass",
        "the parameters of a function stand in parentheses, also when there are none",
        "write `def {name}():`",
    ),
    "bare-except-not-last": Slip(
        "try:\n    y = 1\nexcept:\n    y = 2\nexcept ValueError:\n    y = 3",
        "an `except` without a class catches everything, so that none can follow",
        "put it last",
    ),
    "except-comma": Slip(
        "try:\n    y = 1\nexcept ValueError, e:\n    y = 2",
        "`,` after an error class",
        "write `except (A, B):` for several, `except A as e:` for a name",
    ),
    "raise-comma": Slip('raise ValueError, "x"', "`,` after `raise` and a class", 'write `raise ValueError("x")`'),
}
