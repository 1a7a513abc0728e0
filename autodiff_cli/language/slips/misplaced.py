"""Statements, names and declarations that are in the wrong place (found when names are bound)."""

from __future__ import annotations

from autodiff_cli.language.slips.slip import Slip

SLIPS: dict[str, Slip] = {
    "return-outside": Slip("return x", "`return` outside a function", "end the program with the expression itself"),
    "break-outside": Slip("if x: break", "`break` outside a loop", None),
    "continue-outside": Slip("if x: continue", "`continue` outside a loop", None),
    "nonlocal-outside": Slip("nonlocal x", "`nonlocal` outside a function", "leave it out"),
    "nonlocal-unknown": Slip(
        "def f():\n    nonlocal a\n    a = 1",
        "no function around this one has a variable `{name}`",
        "write `global {name}` for one of the program's",
    ),
    "global-parameter": Slip(
        "def f(a):\n    global a", "`{name}` is a parameter, and cannot be `{word}` as well", "rename one"
    ),
    "global-and-nonlocal": Slip(
        "def g():\n    a = 1\n    def f():\n        global a\n        nonlocal a",
        "`{name}` is `global` already",
        "leave one out",
    ),
    "global-late": Slip(
        "def f():\n    a = 1\n    global a",
        "`{name}` is used above this `{word}`",
        "move the `{word}` up, before the first use",
    ),
    "star-import-inside": Slip(
        "def f():\n    from math import *",
        "`import *` inside a function",
        "move it to the top of the program",
    ),
    "walrus-loop-variable": Slip(
        "[(i := 1) for i in x]",
        "`:=` cannot rebind `{name}`, the variable of this comprehension",
        "choose another name",
    ),
    "declared-inside": Slip(
        "if y:\n    x: input = 1",
        "an input is declared at the top level of a program, in no block",
        "move it to the top",
    ),
    "declared-twice": Slip("x: input = 1\nx: input = 2", "the input `{name}` is declared twice", "leave one out"),
    "declared-late": Slip(
        "y = x\nx: input = 1",
        "the input `{name}` is used or bound above its declaration",
        "move the declaration up",
    ),
    "declared-attribute": Slip("x.y: input = 1", "what is declared as an input has to be a name", None),
}
