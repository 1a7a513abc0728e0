"""What a case is: a short program in PyTorch's words, and the tensors that its free names stand for.

A case is data: it imports neither PyTorch nor this project's engine, and both run the same text. The value of a case is
its last expression (a tensor, a number, or a structure of them). Cases are gathered in groups, a group for each public
function; generators in `cases_*.py` make them from a few lines.

Random values come from `random.random()` alone, whose stream Python promises to keep.

Invariant: `digest(group)` changes exactly when an answer recorded for the group may no longer fit.
"""

from __future__ import annotations

import ast
import hashlib
import math
import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

NAMES = "abcdefgh"
inf, nan = math.inf, math.nan


class T(NamedTuple):
    """A tensor: its elements in row-major order, and whether it is a leaf that requires a gradient."""

    dtype: str
    shape: tuple[int, ...]
    values: tuple[Any, ...]
    grad: bool = False


class Name:
    """A piece of program text inside arguments, as `Name("torch.float32")`."""

    def __init__(self, text: str) -> None:
        self.text = text


class Case(NamedTuple):
    """`text`: the program; `tensors`: its free names; `pointwise`: the tensors have one shape, and element i
    of every result depends on element i of each alone (so each element is a case on scalars as well)."""

    text: str
    tensors: dict[str, T]
    pointwise: bool = False


class Group(NamedTuple):
    """The cases of one public function. `names`: the spellings it answers for (`torch.exp`, `Tensor.exp_`, `F.relu`);
    `scaled`: tolerances are relative to the largest element of a result, not to each element."""

    name: str
    family: str
    names: tuple[str, ...]
    scaled: bool
    generate: Callable[[], Iterable[Case]]

    @property
    def cases(self) -> tuple[Case, ...]:
        return _cases_of(self.name)


GROUPS: dict[str, Group] = {}


@cache
def _cases_of(name: str) -> tuple[Case, ...]:
    return tuple(GROUPS[name].generate())


def group(
    name: str, family: str, names: str | None = None, *, scaled: bool = False
) -> Callable[[Callable[[], Iterable[Case]]], Callable[[], Iterable[Case]]]:
    """Register a generator of cases as the group `name`; `names` are spellings, blank-separated (default: the name)."""

    def enter(generate: Callable[[], Iterable[Case]]) -> Callable[[], Iterable[Case]]:
        assert name not in GROUPS, f"group {name} is there twice"
        GROUPS[name] = Group(name, family, tuple((name if names is None else names).split()), scaled, generate)
        return generate

    return enter


def digest(group: Group) -> str:
    """A fingerprint of a group's cases."""
    fold = hashlib.sha256()
    for case in group.cases:
        fold.update(repr((case.text, sorted(case.tensors.items()), case.pointwise)).encode())
    return fold.hexdigest()[:16]


# --- tensors ---------------------------------------------------------------------------------------------------------


def points(*values: Any, dtype: str = "float64", grad: bool = True) -> T:
    """A vector of given values."""
    return T(dtype, (len(values),), values, grad and dtype.startswith("float"))


def scalar(value: Any, *, dtype: str = "float64", grad: bool = True) -> T:
    """A 0-d tensor."""
    return T(dtype, (), (value,), grad and dtype.startswith("float"))


def filled(shape: tuple[int, ...], *values: Any, dtype: str = "float64", grad: bool = True) -> T:
    """A tensor of given values, which are repeated as often as needed."""
    count = math.prod(shape)
    return T(dtype, shape, tuple(values[i % len(values)] for i in range(count)), grad and dtype.startswith("float"))


def rand(
    *shape: int, low: float = -2.0, high: float = 2.0, dtype: str = "float64", grad: bool = True, seed: int = 1
) -> T:
    """A tensor of values drawn evenly from [low, high), three decimals each (whole numbers, or flags, by dtype)."""
    draw = random.Random(repr((shape, low, high, seed))).random
    count = math.prod(shape)
    values: tuple[Any, ...]
    if dtype == "bool":
        values = tuple(draw() < 0.5 for _ in range(count))
    elif dtype.startswith("float"):
        values = tuple(round(low + (high - low) * draw(), 3) for _ in range(count))
    else:
        values = tuple(math.floor(low + (high - low) * draw()) for _ in range(count))
    return T(dtype, shape, values, grad and dtype.startswith("float"))


def ints(*values: int) -> T:
    """A vector of int64."""
    return T("int64", (len(values),), values)


def flags(*values: bool | int) -> T:
    """A vector of bool."""
    return T("bool", (len(values),), tuple(bool(v) for v in values))


def like(t: T, *values: Any, grad: bool | None = None) -> T:
    """A tensor of `t`'s shape and dtype with other values, which are repeated as often as needed."""
    return T(
        t.dtype, t.shape, tuple(values[i % len(values)] for i in range(len(t.values))), t.grad if grad is None else grad
    )


def constant(t: T) -> T:
    """The same tensor, requiring no gradient."""
    return t._replace(grad=False)


# --- programs --------------------------------------------------------------------------------------------------------


def program(text: str, *tensors: T, pointwise: bool = False) -> Case:
    """A case from a text whose free names a, b, c, ... are `tensors` in order."""
    return Case(text, dict(zip(NAMES, tensors, strict=False)), pointwise)


def call(path: str, *args: Any, pointwise: bool = False, **keywords: Any) -> Case:
    """A case that calls `path` (`torch.exp`, `F.relu`; `.clamp` for a method of the first argument) on arguments.

    A method in place (`.clamp_`) is called on a copy of its tensor, and must return that copy.
    """
    tensors: dict[str, T] = {}
    shown = [show(a, tensors) for a in args]
    words = [f"{k}={show(v, tensors)}" for k, v in keywords.items()]
    if not path.startswith("."):
        text = f"{path}({', '.join(shown + words)})"
    elif path.endswith("_"):
        text = f"x = {shown[0]}.clone()\ny = x{path}({', '.join(shown[1:] + words)})\nassert y is x\nx"
    else:
        text = f"{shown[0]}{path}({', '.join(shown[1:] + words)})"
    return Case(text, tensors, pointwise)


def show(x: Any, tensors: dict[str, T]) -> str:
    """An argument as program text; a tensor is given the next free name."""
    if isinstance(x, T):
        name = NAMES[len(tensors)]
        tensors[name] = x
        return name
    if isinstance(x, Name):
        return x.text
    if isinstance(x, list):
        return "[" + ", ".join(show(e, tensors) for e in x) + "]"
    if isinstance(x, tuple):
        return "(" + "".join(show(e, tensors) + ", " for e in x) + ")"
    if isinstance(x, slice):
        return f"slice({x.start}, {x.stop}, {x.step})"
    return repr(x)


@cache
def compiled(text: str) -> Any:
    """The code of a program, which leaves its last expression (None if it ends in a statement) in `result`."""
    tree = ast.parse(text)
    last = tree.body[-1]
    value = last.value if isinstance(last, ast.Expr) else ast.Constant(None)
    if isinstance(last, ast.Expr):
        tree.body.pop()
    tree.body.append(ast.Assign([ast.Name("result", ast.Store())], value))
    return compile(ast.fix_missing_locations(tree), "<case>", "exec")


def elements(case: Case) -> Iterator[Case]:
    """The elements of a pointwise case, each as a case on 0-d tensors."""
    for i in range(max(len(t.values) for t in case.tensors.values())):
        yield Case(case.text, {n: T(t.dtype, (), (t.values[i],), t.grad) for n, t in case.tensors.items()}, True)


def weight(output: int, index: int) -> float:
    """The weight of an element in the sum that is differentiated: exact in binary and positive, so that the sign of a zero
    gradient is the one that programs see."""
    return ((index * 7 + output * 3) % 11 + 1) / 8


def second_weight(leaf: int, index: int) -> float:
    """The weight of an element of a gradient in the sum that is differentiated again: of both signs, never 0."""
    return ((index * 7 + leaf * 3) % 11 - 4) / 8 + 0.0625
