"""One case on one side: the results, the gradients of a weighted sum of them, and the gradients of those.

The answer is plain data (JSON):

    {"error": class}                                  the program raised
    {"out": <value>}                                  it gave a value that requires no gradient
    {"out": <value>, "grad": [...], "again": class or None, "grad2": [...]}

A tensor among the results is `{"dtype", "shape", "values", "grad_fn", "next"}` (`next`: the names of the nodes of its
operands). Gradients are `{"dtype", "shape", "values"}` or None, one for each leaf that requires one; `{"error": class}`
stands in their place if the walk raised. `again` is what a second walk through the released graph raises. Errors are the
names of Python's own classes, from which PyTorch's and ours derive.

`grad` is taken without a graph of its own and `grad2` by `create_graph=True`; `first` is set only where the gradients of
the two ways differ in more than rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from oracle.case import Case, T, compiled, second_weight, weight

Answer = dict[str, Any]


class Side(Protocol):
    """What running a case needs of PyTorch, or of the engine."""

    name: str

    def space(self) -> dict[str, Any]:
        """The names that programs find: torch, F, inf, nan."""

    def tensor(self, t: T) -> Any: ...

    def is_tensor(self, x: Any) -> bool: ...

    def weights(self, like: Any, values: list[float]) -> Any:
        """A tensor of these values in the shape and dtype of `like`."""

    def grad(self, outputs: Any, inputs: Any, weights: Any, *, retain: bool, create: bool) -> Any: ...

    def error(self, e: Exception) -> str:
        """The name of the Python class that `e` derives from; raises something else for what no user should ever see."""


def answer(case: Case, side: Side, offset: int = 0) -> Answer:
    """Run the case; `offset` shifts the weights (an element of a pointwise case has that element's)."""
    try:
        value, leaves = evaluate(case, side)
        found: Answer = {"out": describe(value, side)}
    except Exception as e:
        return {"error": side.error(e)}
    outputs = [o for o in flat(value, side) if o.requires_grad]
    if not outputs or not leaves:
        return found
    found["grad"] = _walk(outputs, leaves, side, offset, found)
    if isinstance(found["grad"], list):
        found["grad2"] = _second(case, side, offset, found)
    return found


def evaluate(case: Case, side: Side) -> tuple[Any, list[Any]]:
    """The result of a case's program, and the tensors of the case that take gradients."""
    space = side.space()
    leaves = []
    for name, t in case.tensors.items():
        space[name] = side.tensor(t)
        if t.grad:
            leaves.append(space[name])
    exec(compiled(case.text), space)
    return space["result"], leaves


def _walk(outputs: list[Any], leaves: list[Any], side: Side, offset: int, found: Answer) -> Any:
    weights = [_weights(o, side, weight, k, offset) for k, o in enumerate(outputs)]
    try:
        grads = side.grad(outputs, leaves, weights, retain=False, create=False)
    except Exception as e:
        return {"error": side.error(e)}
    try:
        side.grad(outputs, leaves, weights, retain=False, create=False)
        found["again"] = None
    except Exception as e:
        found["again"] = side.error(e)
    return [_gradient(g) for g in grads]


def _second(case: Case, side: Side, offset: int, found: Answer) -> Any:
    """The gradients of a weighted sum of the gradients, from a fresh run; None where they are constants."""
    try:
        value, leaves = evaluate(case, side)
        outputs = [o for o in flat(value, side) if o.requires_grad]
        weights = [_weights(o, side, weight, k, offset) for k, o in enumerate(outputs)]
        grads = side.grad(outputs, leaves, weights, retain=True, create=True)
        if not same_gradients(first := [_gradient(g) for g in grads], found["grad"]):
            found["first"] = first
        pairs = [
            (g, _weights(g, side, second_weight, k, offset))
            for k, g in enumerate(grads)
            if g is not None and g.requires_grad
        ]
        if not pairs:
            return None
        outputs, weights = [g for g, _ in pairs], [w for _, w in pairs]
        return [_gradient(g) for g in side.grad(outputs, leaves, weights, retain=False, create=False)]
    except Exception as e:
        return {"error": side.error(e)}


def _weights(like: Any, side: Side, rule: Callable[[int, int], float], which: int, offset: int) -> Any:
    return side.weights(like, [rule(which, i + offset) for i in range(math.prod(like.shape))])


def flat(value: Any, side: Side) -> Iterator[Any]:
    """The tensors in a structure, in order."""
    if side.is_tensor(value):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from flat(part, side)
    elif isinstance(value, dict):
        for part in value.values():
            yield from flat(part, side)


def numbers(t: Any) -> list[Any]:
    """The elements of a tensor, in row-major order."""
    found: list[Any] = []
    if getattr(t, "_is_zerotensor", bool)():  # PyTorch's zeros without memory
        t = t.clone()
    stack = [t.tolist()]
    while stack:
        x = stack.pop()
        if isinstance(x, list):
            stack.extend(reversed(x))
        else:
            found.append(x)
    if str(t.dtype) == "torch.float32":
        found = [float(f"{x:.9g}") for x in found]
    return found


def _gradient(g: Any) -> Any:
    if g is None:
        return None
    return {"dtype": str(g.dtype)[6:], "shape": list(g.shape), "values": numbers(g)}


def describe(value: Any, side: Side) -> Any:
    """A result as plain data."""
    if side.is_tensor(value):
        handle = value.grad_fn
        return {
            **_gradient(value),
            "grad_fn": handle and handle.name(),
            "next": handle and [n and n.name() for n, _ in handle.next_functions],
        }
    if isinstance(value, (list, tuple)):
        items = [describe(v, side) for v in value]
        fields = [f for f in FIELDS if hasattr(value, f)]
        return {"fields": fields, "items": items} if fields else items
    if isinstance(value, dict):
        return {str(k): describe(v, side) for k, v in value.items()}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


FIELDS = (
    "values",
    "indices",
    "sign",
    "logabsdet",
    "Q",
    "R",
    "eigenvalues",
    "eigenvectors",
    "U",
    "S",
    "Vh",
    "L",
    "info",
    "min",
    "max",
)


def same_gradients(a: list[Any], b: list[Any], tolerance: float = 1e-9) -> bool:
    """Whether two lists of gradients agree to rounding."""
    for x, y in zip(a, b, strict=True):
        if x is None or y is None:
            if x is not y:
                return False
        elif (x["dtype"], x["shape"]) != (y["dtype"], y["shape"]):
            return False
        else:
            rough = 1e-5 if x["dtype"] == "float32" else tolerance
            for u, v in zip(x["values"], y["values"], strict=True):
                if not (u == v or (u != u and v != v) or math.isclose(u, v, rel_tol=rough, abs_tol=rough * 1e-3)):
                    return False
    return True
