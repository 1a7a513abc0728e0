"""This project's side. Programs see a `torch` that is made from the registry of public functions."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from autodiff_cli.engine import autograd, dtypes, methods
from autodiff_cli.engine.registry import FUNCTIONS, settle
from autodiff_cli.engine.tensor import Tensor, new_leaf, wrap
from autodiff_cli.errors import Fault
from oracle.case import T

assert methods  # imported for what it installs


class Missing(Exception):
    """A program names what the registry does not have."""


class Crash(Exception):
    """An exception that a user must never see."""


class Place:
    """A namespace of public functions, as a program sees it: `torch`, `torch.linalg`."""

    def __init__(self, place: str, **members: Any) -> None:
        self.__dict__.update(members)
        self._place = place

    def __getattr__(self, name: str) -> Any:
        found = FUNCTIONS.get((self._place, name))
        if found is None:
            raise Missing(f"{self._place}.{name}")
        return found.call


def _torch() -> Place:
    f = Place("F")
    return Place(
        "torch",
        nn=Place("nn", functional=f),
        linalg=Place("linalg"),
        special=Place("special"),
        func=Place("func"),
        autograd=Place(
            "autograd",
            functional=Place("autograd.functional"),
            grad=autograd.grad,
            backward=autograd.backward,
        ),
        Tensor=Tensor,
        pi=math.pi,
        e=math.e,
        inf=math.inf,
        nan=math.nan,
        **dtypes.BY_NAME,
        float=dtypes.float32,
        double=dtypes.float64,
        long=dtypes.int64,
        int=dtypes.int32,
    )


class EngineSide:
    """`shared`: 0-d values are arrays (as where memory is shared) instead of Python numbers."""

    name = "engine"

    def __init__(self, *, shared: bool = False) -> None:
        self.shared = shared
        self._torch = _torch()

    def space(self) -> dict[str, Any]:
        return {"torch": self._torch, "F": self._torch.nn.functional, "inf": math.inf, "nan": math.nan}

    def tensor(self, t: T) -> Any:
        with np.errstate(over="ignore"):
            value: Any = np.array(t.values, dtype=t.dtype).reshape(t.shape)
        return new_leaf(value if self.shared else settle(value), t.grad)

    def is_tensor(self, x: Any) -> bool:
        return isinstance(x, Tensor)

    def weights(self, like: Any, values: list[float]) -> Any:
        return wrap(settle(np.array(values, dtype=like.dtype.name).reshape(like.shape)))

    def grad(self, outputs: Any, inputs: Any, weights: Any, *, retain: bool, create: bool) -> Any:
        return autograd.grad(outputs, inputs, weights, retain_graph=retain, create_graph=create, allow_unused=True)

    def error(self, e: Exception) -> str:
        if isinstance(e, Missing):
            raise e
        if not isinstance(e, Fault) and not _is_signature_error(e) and not _is_programs_own(e):
            if isinstance(e, AttributeError) and "'Tensor' object has no attribute" in str(e):
                raise Missing(str(e)) from e
            raise Crash(f"{type(e).__name__}: {e}") from e
        return next(c.__name__ for c in type(e).__mro__ if getattr(builtins, c.__name__, None) is c)


def _is_programs_own(e: Exception) -> bool:
    """Whether Python raised it in the text of the case itself, as for an attribute of a tuple."""
    frame = e.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    if isinstance(e, AttributeError) and isinstance(e.obj, Tensor):
        return False
    return frame is not None and frame.tb_frame.f_code.co_filename == "<case>"


def _is_signature_error(e: Exception) -> bool:
    """What Python raises for arguments that don't fit a signature or an operator; the runtime gives it words."""
    return isinstance(e, TypeError) and any(
        phrase in str(e) for phrase in ("argument", "operand type", "not supported between", "not subscriptable")
    )
