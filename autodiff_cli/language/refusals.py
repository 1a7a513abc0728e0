"""What Python has and this language has not, and what is misplaced: the rest of the table of `mistakes.py`."""

from __future__ import annotations

from autodiff_cli.language.mistakes import Slip

REFUSED: dict[str, Slip] = {
    "class": Slip("class Net:\n    pass", "classes are not in this language yet", "write a function with `def`"),
    "async": Slip("async def f():\n    pass", "`async` is not in this language: nothing here waits for anything", "write a plain `def`"),
    "await": Slip("y = await x", "`await` is not in this language: nothing here waits for anything", "leave it out"),
    "yield": Slip("def f():\n    yield 1", "`yield` is not in this language", "collect the values in a list, and return it"),
    "match": Slip("match x:\n    case 1:\n        pass", "`match` is not in this language", "write `if` and `elif`"),
    "exec": Slip('exec "y = 1"', "`{name}` is not in this language: a program cannot run text", "write the statements themselves"),
    "decorator": Slip("@cache\ndef f(x): return x", "`@{text}`: the decorators here are the grad modes alone", "write `@torch.no_grad()` and its like, or call the function"),
    "dunder-attribute": Slip("x.__class__", "`.{name}`: attributes with two underscores are closed to programs", None),
    "dunder-name": Slip("print(__file__)", "`{name}`: names with two underscores are closed to programs", None),
    "import": Slip("import numpy as np", "`{module}` cannot be imported", "{instead}"),
    "import-star": Slip("from torch.nn import *", "`{module}` cannot be imported as a whole", "import the names that the program uses"),
    "python-name": Slip("y = eval(\"x\")", "`{name}` is not in this language{reason}", "{instead}"),
    "unknown-function": Slip("y = sinn(x)", "there is no function `{name}`", "{instead}"),
    "unknown-module": Slip("y = np.sin(x)", "there is no `{name}` here: the library is PyTorch's", "write `torch.{attr}`, or the function alone"),
    "too-deep": Slip("y = (((...)))", "this program is nested more than {limit} levels deep, the limit", "compute parts of it in statements of their own"),
}  # fmt: skip

MISPLACED: dict[str, Slip] = {
    "return-outside": Slip("return x", "`return` outside a function", "end the program with the expression itself"),
    "break-outside": Slip("if x: break", "`break` outside a loop", None),
    "continue-outside": Slip("if x: continue", "`continue` outside a loop", None),
    "nonlocal-outside": Slip("nonlocal x", "`nonlocal` outside a function", "leave it out"),
    "nonlocal-unknown": Slip("def f():\n    nonlocal a\n    a = 1", "no function around this one has a variable `{name}`", "write `global {name}` for one of the program's"),
    "global-parameter": Slip("def f(a):\n    global a", "`{name}` is a parameter, and cannot be `{word}` as well", "rename one"),
    "global-and-nonlocal": Slip("def g():\n    a = 1\n    def f():\n        global a\n        nonlocal a", "`{name}` is `global` already", "leave one out"),
    "global-late": Slip("def f():\n    a = 1\n    global a", "`{name}` is used above this `{word}`", "move the `{word}` up, before the first use"),
    "star-import-inside": Slip("def f():\n    from math import *", "`import *` inside a function", "move it to the top of the program"),
    "walrus-loop-variable": Slip("[(i := 1) for i in x]", "`:=` cannot rebind `{name}`, the variable of this comprehension", "choose another name"),
    "declared-inside": Slip("if y:\n    x: input = 1", "an input is declared at the top level of a program, in no block", "move it to the top"),
    "declared-twice": Slip("x: input = 1\nx: input = 2", "the input `{name}` is declared twice", "leave one out"),
    "declared-late": Slip("y = x\nx: input = 1", "the input `{name}` is used or bound above its declaration", "move the declaration up"),
    "declared-attribute": Slip("x.y: input = 1", "what is declared as an input has to be a name", None),
}  # fmt: skip
