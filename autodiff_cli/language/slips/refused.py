"""What Python has and this language has not."""

from __future__ import annotations

from autodiff_cli.language.slips.slip import Slip

SLIPS: dict[str, Slip] = {
    "class": Slip("class Net:\n    pass", "classes are not in this language yet", "write a function with `def`"),
    "async": Slip(
        "async def f():\n    pass",
        "`async` is not in this language: nothing here waits for anything",
        "write a plain `def`",
    ),
    "await": Slip("y = await x", "`await` is not in this language: nothing here waits for anything", "leave it out"),
    "yield": Slip(
        "def f():\n    yield 1",
        "`yield` is not in this language",
        "collect the values in a list, and return it",
    ),
    "match": Slip("match x:\n    case 1:\n        pass", "`match` is not in this language", "write `if` and `elif`"),
    "exec": Slip(
        'exec "y = 1"',
        "`{name}` is not in this language: a program cannot run text",
        "write the statements themselves",
    ),
    "decorator": Slip(
        "@cache\ndef f(x): return x",
        "`@{text}`: the decorators here are the grad modes alone",
        "write `@torch.no_grad()` and its like, or call the function",
    ),
    "dunder-attribute": Slip("x.__class__", "`.{name}`: attributes with two underscores are closed to programs", None),
    "dunder-name": Slip("print(__file__)", "`{name}`: names with two underscores are closed to programs", None),
    "import": Slip("import numpy as np", "`{module}` cannot be imported", "{instead}"),
    "import-star": Slip(
        "from torch.nn import *",
        "`{module}` cannot be imported as a whole",
        "import the names that the program uses",
    ),
    "python-name": Slip('y = eval("x")', "`{name}` is not in this language{reason}", "{instead}"),
    "constant-name": Slip("y = x if true else 0", "there is no `{name}` here", "write `{instead}`"),
    "unknown-function": Slip("y = sinn(x)", "there is no function `{name}`", "{instead}"),
    "unknown-module": Slip(
        "y = np.sin(x)",
        "there is no `{name}` here: the library is PyTorch's",
        "write `torch.{attr}`, or the function alone",
    ),
    "too-deep": Slip(
        "y = (((...)))",
        "this program is nested more than {limit} levels deep, the limit",
        "compute parts of it in statements of their own",
    ),
}
