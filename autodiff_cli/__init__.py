"""autodiff: PyTorch's dynamic autograd on the command line and from Python, without PyTorch.

The public Python names are `Program`, `Run`, `Limits` and `Fault`:

    >>> from autodiff_cli import Program
    >>> run = Program.load("z=(x*y+1)**2").run({"x": 2, "y": 3})
    >>> run.value, run.gradients
    (49.0, {'x': 42.0, 'y': 28.0})

They are imported when first asked for, so that `autodiff --help` does not pay for the engine.
"""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = ["Fault", "Limits", "Program", "Run", "__version__"]

_HOMES = {
    "Fault": "autodiff_cli.errors",
    "Limits": "autodiff_cli.runtime.program",
    "Program": "autodiff_cli.runtime.program",
    "Run": "autodiff_cli.runtime.program",
}

TYPE_CHECKING = False  # what type checkers take for true; the typing module costs 4 ms to import
if TYPE_CHECKING:
    from autodiff_cli.errors import Fault
    from autodiff_cli.runtime.program import Limits, Program, Run


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
