"""The types that programs can name: `float`, `list`, `torch.Tensor`, `RuntimeError`, ...

A type of the language is a `TypeName`: called, it makes a value; in `isinstance` and after `except` it stands for a class
of Python's. So no program ever holds one of Python's own classes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli import errors
from autodiff_cli.engine.dtypes import DType
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import Fault, TypeFault
from autodiff_cli.runtime.functions import UserFunction
from autodiff_cli.runtime.objects import Bound, Namespace, Native


class TypeName(Native):
    """A type: `cls` is the class it stands for."""

    __slots__ = ("cls", "module")

    def __init__(self, name: str, cls: type, call: Callable[..., Any] | None = None, module: str = "") -> None:
        super().__init__(name, call or self._refuse, plain=True)
        self.cls = cls
        self.module = module

    def _refuse(self, *_args: Any, **_keywords: Any) -> Any:
        raise TypeFault(f"{self.name} cannot be called to make a value")

    def __repr__(self) -> str:
        return f"<class '{self.module}{self.name}'>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypeName) and other.cls is self.cls

    def __hash__(self) -> int:
        return hash(self.cls)


class ErrorType(TypeName):
    """An exception class of Python; called, it makes the fault that stands for it."""

    __slots__ = ("fault",)

    def __init__(self, name: str, cls: type[BaseException], fault: type[Fault]) -> None:
        super().__init__(name, cls, self._make)
        self.fault = fault

    def _make(self, *args: Any) -> Fault:
        made = self.fault(str(args[0]) if len(args) == 1 else "" if not args else str(args))
        made.args = args
        return made


_FAULTS: tuple[tuple[type[BaseException], type[Fault]], ...] = (
    (ArithmeticError, errors.ArithmeticFault),
    (AssertionError, errors.AssertionFault),
    (AttributeError, errors.AttributeFault),
    (Exception, errors.PlainFault),
    (FloatingPointError, errors.FloatingPointFault),
    (IndexError, errors.IndexFault),
    (KeyError, errors.KeyFault),
    (LookupError, errors.LookupFault),
    (NameError, errors.NameFault),
    (NotImplementedError, errors.NotImplementedFault),
    (OverflowError, errors.OverflowFault),
    (RecursionError, errors.RecursionFault),
    (RuntimeError, errors.RuntimeFault),
    (StopIteration, errors.StopIterationFault),
    (TypeError, errors.TypeFault),
    (UnboundLocalError, errors.UnboundLocalFault),
    (ValueError, errors.ValueFault),
    (ZeroDivisionError, errors.ZeroDivisionFault),
)
ERRORS: dict[str, ErrorType] = {
    **{cls.__name__: ErrorType(cls.__name__, cls, fault) for cls, fault in _FAULTS},
    "BaseException": ErrorType("BaseException", Exception, errors.PlainFault),
}

TENSOR = TypeName("Tensor", Tensor, module="torch.")
DTYPE = TypeName("dtype", DType, module="torch.")
FUNCTION = TypeName("function", UserFunction)
NONE = TypeName("NoneType", type(None))
MODULE = TypeName("module", Namespace)
BUILTIN = TypeName("builtin_function_or_method", Native)
METHOD = TypeName("method", Bound)


def matches(error: BaseException, kind: Any) -> bool:
    """Whether `except kind` catches the error.

    Raises:
        TypeFault: `kind` is no error class or tuple of them.
    """
    if isinstance(kind, tuple):
        return any(matches(error, k) for k in kind)
    if not isinstance(kind, ErrorType):
        raise TypeFault("'except' names error classes, as in `except RuntimeError:`")
    return isinstance(error, kind.cls)
