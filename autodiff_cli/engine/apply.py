"""Running an operation on tensors: compute, and record a node where the graph needs one.

A result has a node exactly when gradient mode is on, an operand requires a gradient, the operation has rules and the
result is floating. One that needs no gradient keeps no operands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autodiff_cli.engine import dtypes
from autodiff_cli.engine.dtypes import DType, combine, dtype_of, promote
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import NO_PARAMS, NOTHING, Node, make_node
from autodiff_cli.engine.registry import Op, settle
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, current_node, wrap
from autodiff_cli.engine.views import link_view
from autodiff_cli.errors import LimitFault


def apply(op: Op, xs: Sequence[Any], params: dict[str, Any]) -> Tensor:
    """The op's result on tensors and plain numbers (at least one tensor), recorded when needed.

    Raises:
        RuntimeFault: the shapes do not go together.
        LimitFault: the result would have more elements than `tape.max_elements`.
    """
    values: Sequence[Any]
    if op.policy is None:
        values = [x.value if type(x) is Tensor else x for x in xs]
    elif len(xs) != 1:
        xs, values = _meet(op, xs)
    else:
        v = xs[0].value
        if type(v) is float and op.scalar is not None:
            return _scalar_unary(op, xs[0], params)
        if type(v) not in _PLAIN and v.dtype is _double.dtype and v.ndim:
            values = (v,)
        else:
            xs, values = _meet(op, xs)
    result = wrap(op.compute(values, params))
    if tape.grad_enabled and op.vjps is not None:
        attach(result, op, xs, params)
    elif tape.events is not None and not tape.grad_enabled:
        _tell(op, xs, result, params)
    if op.view:
        link_view(result, xs[0], op)
    return result


def apply_pair(op: Op, a: Any, b: Any) -> Tensor | None:
    """`apply` for two operands that are float64 arrays, one perhaps a float: half the time, for what a net's layers do.

    None: they are something else, or their shapes do not go together; nothing was done.
    """
    u = a.value if type(a) is Tensor else a
    v = b.value if type(b) is Tensor else b
    if type(u) is float:
        if type(v) in _PLAIN or v.dtype is not _double.dtype or not v.ndim:
            return None
    elif type(u) in _PLAIN or u.dtype is not _double.dtype or not u.ndim:
        return None
    elif type(v) is not float:
        if type(v) in _PLAIN or v.dtype is not u.dtype or not v.ndim:
            return None
        if (u.size > _FEW or v.size > _FEW) and u.shape != v.shape:
            return None
    try:
        value = op.array(u, v)
    except ValueError:
        return None
    t = Tensor()
    t.value = value
    t.node = None
    t.aux = None
    if not tape.grad_enabled:
        if tape.events is not None:
            _tell(op, (a, b), t, NO_PARAMS)
        return t
    if type(a) is Tensor:
        node = a.node if a.aux is None or a.aux.base is None else current_node(a)
        needed = node is not None
        a = a if node is None else node
    else:
        needed = False
    if type(b) is Tensor:
        node = b.node if b.aux is None or b.aux.base is None else current_node(b)
        if node is not None:
            needed, b = True, node
    if needed:
        t.node = make_node(op, value, (a, b), NO_PARAMS)
    return t


def _scalar_unary(op: Op, x: Tensor, params: dict[str, Any]) -> Tensor:
    """`apply` for one scalar operand, three times as quick: most functions of a scalar program are of this kind."""
    t = Tensor()
    try:
        t.value = op.scalar(x.value, **params)  # type: ignore[misc]
    except (ArithmeticError, ValueError):
        t.value = op.compute((x.value,), params)
    t.aux = None
    t.node = None
    if x.node is not None and tape.grad_enabled and op.vjps is not None and type(t.value) is float:
        t.node = n = Node()
        n.op = op
        n.value = t.value
        n.a = x.node
        n.b = NOTHING
        n.params = params
        n.seq = tape.seq = tape.seq + 1
        n.site = tape.site
        n.cot = None
        n.meta = None
    elif tape.events is not None and not tape.grad_enabled:
        tape.events.unrecorded(op, (x.node or x,), t, params)
    return t


def _tell(op: Op, xs: Sequence[Any], result: Tensor, params: dict[str, Any]) -> None:
    """Tell the ledger of an operation that ran without gradient mode."""
    tape.events.unrecorded(op, [(x.node or x) if type(x) is Tensor else x for x in xs], result, params)


def attach(result: Tensor, op: Op, xs: Sequence[Any], params: dict[str, Any]) -> Tensor:
    """Give a computed result its node, if an operand requires a gradient and gradient mode is on."""
    inputs: list[Any] = []
    needed = False
    for x in xs:
        if type(x) is Tensor:
            node = x.node if x.aux is None or x.aux.base is None else current_node(x)
            if node is not None:
                needed = True
                inputs.append(node)
                continue
        inputs.append(x)
    if needed and tape.grad_enabled and is_floating(result.value):
        result.node = make_node(op, result.value, inputs, params)
    return result


def is_floating(value: Any) -> bool:
    """Whether a raw value has a floating dtype."""
    return type(value) is float or (type(value) is not int and type(value) is not bool and value.dtype.kind == "f")


def _meet(op: Op, xs: Sequence[Any]) -> tuple[Sequence[Any], list[Any]]:
    """The operands with plain numbers made to fit, and their raw values in the common dtype."""
    values = [x.value if type(x) is Tensor else x for x in xs]
    if tape.default_dtype is dtypes.float64 and _is_plain(values):
        return xs, values
    skip = op.promote_from
    common = common_dtype(xs[skip:])
    if op.policy == "float" and common.category < 2:
        common = tape.default_dtype
    if common.category == 2:
        xs = [x if type(x) is Tensor else float(x) for x in xs]
    _check_broadcast(op, values)
    return xs, values[:skip] + [cast_raw(v, common) for v in values[skip:]]


def _is_plain(values: Sequence[Any]) -> bool:
    """Whether there is nothing to cast (floats and arrays of float64), nor a broadcast that could become too large."""
    first: Any = None
    for v in values:
        if type(v) is float:
            continue
        if type(v) in _PLAIN or v.dtype is not _double.dtype or not v.ndim:
            return False
        if first is None:
            first = v
        elif v.shape != first.shape and (v.size >= _SMALL or first.ndim >= 4):
            return False
    return True


def common_dtype(xs: Sequence[Any]) -> DType:
    """PyTorch's result_type of tensors and plain numbers."""
    dimensioned: DType | None = None
    zero: DType | None = None
    number: DType | None = None
    for x in xs:
        if type(x) is Tensor:
            v = x.value
            if type(v) not in _PLAIN and v.ndim:
                dimensioned = promote(dimensioned, dtype_of(v))
            else:
                zero = promote(zero, dtype_of(v))
        else:
            number = promote(number, tape.default_dtype if type(x) is float else dtype_of(x))
    found = combine(dimensioned, combine(zero, number))
    assert found is not None
    return found


_PLAIN = frozenset((float, int, bool))
_FEW = 2_000  # elements of each of two operands that no broadcast makes too large
_SMALL = 1_000  # elements of an operand that no broadcast in three dimensions can make too large


class _Double:
    """numpy's float64 dtype, asked for when there is an array."""

    def __getattr__(self, name: str) -> Any:
        self.dtype = np.dtype("float64")
        return self.dtype


_double = _Double()


def cast_raw(value: Any, dtype: DType) -> Any:
    """A raw value in another dtype; the same object when it has it already.

    0-d arrays that share memory with a tensor are read out into Python numbers here, so scalar work stays scalar.
    """
    kind = type(value)
    if kind in _PLAIN:
        if dtype is dtypes.float64:
            return float(value)
        if dtype is dtypes.bool_:
            return bool(value)
        if dtype is dtypes.int64:
            return int(value) if kind is not float else settle(np.asarray(value).astype("int64"))
        return np.asarray(value).astype(dtype.name)
    if value.ndim == 0:
        return settle(value.astype(dtype.name))
    return value if dtype_of(value) is dtype else value.astype(dtype.name)


def _check_broadcast(op: Op, values: Sequence[Any]) -> None:
    """Refuse a broadcast whose result would pass the size limit before memory is asked for."""
    total, first = 1, None
    for v in values:
        if type(v) not in _PLAIN:
            if first is None:
                first = v.shape
            elif v.shape != first:
                break
    else:
        return
    try:
        shape = np.broadcast_shapes(*(v.shape for v in values if type(v) not in _PLAIN))
    except ValueError:
        return  # the operation itself says so
    for n in shape:
        total *= n
    check_size(total, op.name)


def check_size(elements: int, what: str) -> None:
    """Raises LimitFault when a tensor would have more elements than allowed."""
    if elements > tape.max_elements:
        raise LimitFault(
            f"{what}: the result would have {elements:,} elements; the limit is {tape.max_elements:,}",
            hint="work on a smaller tensor, or in pieces",
        )


def raw(x: Any) -> Any:
    """The raw value of a tensor, or the number itself."""
    return x.value if type(x) is Tensor else x


def saved_tensor(x: Any) -> Any:
    """An operand as backward with create_graph needs it: a tensor tied to its node."""
    if type(x) is Node:
        t = wrap(x.value)
        t.node = x
        return t
    return x
