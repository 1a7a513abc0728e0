"""One step of backward: a node's rules applied, its operands' cotangents added to what waits for them.

Three ways: on Python floats, on arrays (broadcasting is undone and dtypes put right here, once, for all rules), and on
tensors tied to the graph, where the same rules make the derivative a graph of its own.
"""

from __future__ import annotations

from math import prod
from typing import Any

from autodiff_cli.engine.apply import saved_tensor
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import PENDING, Node
from autodiff_cli.engine.registry import settle, shape_of
from autodiff_cli.engine.second_order import LAST, rename
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import RuntimeFault

_SMALL = 10_000  # elements that are copied more quickly than numpy spreads one over them


def float_step(node: Node, g: Any) -> bool:
    """One node's rules on Python floats; False where they do not apply, or raise where IEEE has an answer."""
    op = node.op
    inputs = node.inputs
    if type(g) is not float or not op.floats or type(node.value) is not float:
        return False
    values = [x if type(x) is float else x.value for x in inputs]
    for v in values:
        if type(v) not in op.scalar_types:  # where's condition is a bool
            return False
    try:
        found = [
            op.vjps[i](g, node.value, *values, **node.params)
            if type(x) is Node and x.cot is not None and op.vjps[i] is not None
            else None
            for i, x in enumerate(inputs)
        ]
    except (ArithmeticError, ValueError):
        return False
    for x, d in zip(inputs, found, strict=True):
        if d is not None:
            x.cot = d if x.cot is PENDING else x.cot + d
    return True


def pair_step(node: Node, g: float, x: float, y: float) -> None:
    """The rules of a node of two operands, which are floats.

    Raises:
        ArithmeticError, ValueError: where IEEE has an answer and Python has none; nothing was added then.
    """
    op, a, b = node.op, node.a, node.b
    to_a, to_b = op.hands_on
    rule_a, rule_b = op.vjps
    d = e = None
    if type(a) is Node and rule_a is not None:
        d = g if to_a else rule_a(g, node.value, x, y)
    if type(b) is Node and rule_b is not None:
        e = g if to_b else rule_b(g, node.value, x, y)
    if d is not None:
        a.cot = d if a.cot is PENDING else a.cot + d
    if e is not None:
        b.cot = e if b.cot is PENDING else b.cot + e


def array_step(node: Node, g: Any) -> None:
    """One node's rules on raw values; floats become numpy's, so that 1/0 is inf."""
    inputs = node.inputs
    if type(g) is float:
        g = np.float64(g)
    values = []  # plain numbers stay as they are: a rule only meets them together with what is numpy's
    for x in inputs:
        if type(x) is Node or type(x) is Tensor:
            v = x.value
            values.append(np.float64(v) if type(v) is float else v)
        else:
            values.append(x)
    y = node.value
    if type(y) is float:
        y = np.float64(y)
    vjps = None if node.op.variadic else node.op.vjps
    params = node.params
    for i, x in enumerate(inputs):
        if type(x) is Node and x.cot is not None:
            if vjps is None:
                d = rule_of(node, i, g, y, values)
            elif vjps[i] is None:
                continue
            else:
                d = vjps[i](g, y, *values, **params)
            if d is not None:
                v = x.value
                if type(d) is not np.ndarray or type(v) is float or d.shape != v.shape or d.dtype is not v.dtype:
                    d = fit(settle(d), v)
                waiting = x.cot
                x.cot = d if waiting is PENDING else waiting + d


def rule_of(node: Node, i: int, g: Any, y: Any, values: list[Any]) -> Any:
    op = node.op
    assert op.vjps is not None
    if op.variadic:
        return op.vjps[0](g, y, *values, index=i, **node.params)
    rule = op.vjps[i]
    return None if rule is None else rule(g, y, *values, **node.params)


def fit(d: Any, target: Any) -> Any:
    """A raw cotangent in the shape and dtype of the value it belongs to: broadcasting undone."""
    if type(d) is float:
        if type(target) is float:
            return d
    elif type(target) is not float and d.shape == target.shape and d.dtype is target.dtype:
        return d
    shape = shape_of(target)
    if shape_of(d) != shape:
        d = sum_to_shape(np.asarray(d), shape)
    if type(target) is float:
        return d if type(d) is float else float(d)
    if type(d) is float or d.dtype != target.dtype:
        d = np.asarray(d).astype(target.dtype)
    return d


def sum_to_shape(d: Any, shape: tuple[int, ...]) -> Any:
    """Sum an array over what broadcasting added to `shape`; spread it where it has too few elements."""
    added = d.ndim - len(shape)
    if added > 0:
        d = np.add.reduce(d, axis=0 if added == 1 else tuple(range(added)))
        if d.shape == shape:
            return d
    axes = tuple(i for i in range(d.ndim) if shape[i + len(shape) - d.ndim] == 1 and d.shape[i] != 1)
    if axes:
        d = np.add.reduce(d, axis=axes, keepdims=True)
    if d.shape == shape:
        return d
    try:
        return np.full(shape, d) if prod(shape) < _SMALL else np.broadcast_to(d, shape)
    except ValueError:
        raise RuntimeFault(
            f"a gradient of shape {d.shape} came for a value of shape {shape}, which was changed in place outside the graph",
            hint="write y = y.t() for y.t_() under no_grad",
        ) from None


def tensor_step(node: Node, g: Any) -> None:
    """One node's rules on tensors tied to the graph: the derivative of the derivative comes for free."""
    from autodiff_cli.engine.methods import fit_tensor

    inputs = node.inputs
    values = [saved_tensor(x) for x in inputs]
    y = saved_tensor(node)
    before = tape.seq
    for i, x in enumerate(inputs):
        if type(x) is Node and x.cot is not None:
            d = rule_of(node, i, g, y, values)
            if d is not None:
                made, d = d, fit_tensor(d, x.value)
                if node.op.grad_fn in LAST:
                    rename(node, made, d, before)
                waiting = x.cot
                x.cot = d if waiting is PENDING else waiting + d


def contributions(node: Node, g: Any, create_graph: bool) -> list[tuple[Any, Any]]:
    """For each operand that the node's operation can be differentiated in, what one step adds to its cotangent.

    None for an operand that requires no gradient or that the walk does not go to. As the steps above, which add at once.
    """
    from autodiff_cli.engine.methods import fit_tensor

    inputs = node.inputs
    if create_graph:
        y, values = saved_tensor(node), [saved_tensor(x) for x in inputs]
    else:
        raws = [x.value if type(x) is Node or type(x) is Tensor else x for x in (node, g, *inputs)]
        y, g, *values = [np.float64(v) if type(v) is float else v for v in raws]
    found = []
    for i, x in enumerate(inputs):
        if not node.op.variadic and node.op.vjps[i] is None:
            continue
        before = tape.seq
        d = rule_of(node, i, g, y, values) if type(x) is Node and x.cot is not None else None
        if d is not None:
            made, d = d, fit_tensor(d, x.value) if create_graph else fit(settle(d), x.value)
            if create_graph and node.op.grad_fn in LAST:
                rename(node, made, d, before)
        found.append((x, d))
    return found
