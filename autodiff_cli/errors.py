"""One family of errors: everything that can be a user's mistake or misfortune is a `Fault`.

A fault says what happened in the user's words (`message`), what to write instead (`hint`), and where (`span` in
`source`; the engine raises faults without a span and the interpreter, which knows where it is, fills it in). One
place renders them (`views/faults.py`). Anything else that escapes is a bug of this program and exits with 70.

Faults that a program may catch also derive from the Python class that PyTorch raises in the same situation, so
`except RuntimeError` in a program means what it means under PyTorch.

Invariant: every concrete class has a `code` (stable, in JSON) and a `status` (the exit code of CLI.md).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, ClassVar

from autodiff_cli.source import Source, Span


class Status(IntEnum):
    """Exit codes. Frozen: scripts rely on them."""

    DONE = 0
    CHECK_FAILED = 1
    USAGE = 2
    SYNTAX = 3
    RUNTIME = 4
    DATA = 5
    NOT_CONVERGED = 6
    INCONCLUSIVE = 7
    INTERNAL = 70
    INTERRUPTED = 130


class Fault(Exception):
    """The base of the family. `message` is what a person is told; `str(fault)` is what `print(e)` in a program shows:
    the argument that the error was made with, as in Python."""

    code: ClassVar[str] = "error"
    status: ClassVar[Status] = Status.RUNTIME
    site: Any = None  # the tree node that is to blame, where the engine knows it

    SUBJECT = "{subject}"  # in a message: the text of what was called upon, put in by whoever knows the program

    def __init__(
        self,
        message: str = "",
        *,
        hint: str | None = None,
        span: Span | None = None,
        source: Source | None = None,
        notes: tuple[tuple[Span, str], ...] = (),
    ) -> None:
        super().__init__(message.replace(self.SUBJECT, "the tensor"))
        self.message = message
        self.hint = hint
        self.span = span
        self.source = source
        self.notes = notes  # other places that matter, each with a phrase ("saved here", "changed here")

    def __str__(self) -> str:
        return "" if not self.args else str(self.args[0] if len(self.args) == 1 else self.args)

    def __repr__(self) -> str:
        return f"{getattr(self, 'python_name', class_name(self))}({', '.join(map(repr, self.args))})"


def class_name(error: Fault) -> str:
    """The name of the Python class that a fault stands for."""
    for cls in type(error).__mro__:
        if cls.__module__ == "builtins" and cls not in (Exception, BaseException, object):
            return cls.__name__
    return "Exception"


class UsageFault(Fault):
    """The command line is wrong: an unknown or missing input, no such file."""

    code = "usage"
    status = Status.USAGE


class SyntaxFault(Fault):
    """The text is not a program of the language."""

    code = "syntax"
    status = Status.SYNTAX
    slip = ""  # which mistake of the language's table it is (language/mistakes.py)


class DataFault(Fault):
    """A value or a row cannot be read."""

    code = "data"
    status = Status.DATA


class LimitFault(Fault):
    """A limit of the run was reached (steps, nodes, depth, size, time). A program cannot catch it."""

    code = "limit"


class RuntimeFault(Fault, RuntimeError):
    """A rule of the graph, or a shape: what PyTorch raises as RuntimeError."""

    code = "runtime"


class RecursionFault(RuntimeFault, RecursionError):
    """Calls within calls reached the limit of the run. Unlike the other limits, a program may catch it, as in Python."""

    code = "limit"


class PlainFault(Fault):
    """What a program raises as Exception itself: no narrower class catches it."""

    code = "exception"


class ArithmeticFault(Fault, ArithmeticError):
    code = "arithmetic"


class FloatingPointFault(Fault, FloatingPointError):
    code = "floating-point"


class LookupFault(Fault, LookupError):
    code = "lookup"


class ValueFault(Fault, ValueError):
    code = "value"


class TypeFault(Fault, TypeError):
    code = "type"


class IndexFault(Fault, IndexError):
    code = "index"


class KeyFault(Fault, KeyError):
    code = "key"

    def __str__(self) -> str:
        return repr(self.args[0]) if len(self.args) == 1 else Fault.__str__(self)


class NameFault(Fault, NameError):
    code = "name"


class UnboundLocalFault(NameFault, UnboundLocalError):
    pass


class AttributeFault(Fault, AttributeError):
    code = "attribute"


class ZeroDivisionFault(Fault, ZeroDivisionError):
    code = "zero-division"


class OverflowFault(Fault, OverflowError):
    code = "overflow"


class NotImplementedFault(Fault, NotImplementedError):
    code = "not-implemented"


class StopIterationFault(Fault, StopIteration):
    code = "stop-iteration"


class AssertionFault(Fault, AssertionError):
    """A program's own `assert` failed."""

    code = "assertion"
    status = Status.CHECK_FAILED
