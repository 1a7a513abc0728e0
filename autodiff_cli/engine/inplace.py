"""Changes in place: any public function can be run so that its result replaces the tensor's contents.

`replace(t, result)` takes a result that was computed out of place (with its graph) and makes it `t`'s new value and
history. So an in-place method is its function plus this, and every rule of PyTorch's is here once:

* a leaf that requires a gradient, or a view of one, is refused outside `no_grad`;
* the dtype and the shape of `t` stay;
* whoever shares the memory sees the new value, and what saved the old one finds its version changed;
* in gradient mode the history is rebased: `t` (or, through a view, its base) now comes from the operation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.apply import is_floating
from autodiff_cli.engine.dtypes import dtype_of
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import ACCUMULATE, Node, Version
from autodiff_cli.engine.regions import BLANK
from autodiff_cli.engine.registry import Op, primitive, shape_of
from autodiff_cli.engine.tangents import behind_gate, gated, keep_operands
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, current_node, wrap
from autodiff_cli.engine.views import keep_history, overwrite, rebase, refuse_view, version_of
from autodiff_cli.errors import RuntimeFault

FORMS: dict[Op, Op] = {}
"""The ops whose form in place is a node of its own in PyTorch (`EluBackward1`), and that form."""


def refuse_leaf(t: Tensor, required: bool = False) -> None:
    """Refuse what PyTorch refuses to change in place in gradient mode; `required`: another operand requires a gradient.

    Raises:
        RuntimeFault: `t` is a leaf that requires a gradient, a view of a leaf, or a view that was taken under no_grad or
            with others by one operation.
    """
    if not tape.grad_enabled:
        return
    needs = t.requires_grad
    if not (needs or required):
        return
    aux = t.aux
    if aux is not None and aux.base is not None:
        refuse_view(aux, "is changed in place in gradient mode")
        if needs and (aux.base.node is None or aux.base.node.op is ACCUMULATE):
            raise RuntimeFault(
                "{subject} is a view of a leaf tensor that requires a gradient, and is changed in place",
                hint="put the change under `with torch.no_grad():`, or change a clone() of the leaf",
            )
    if needs and (t.node is None or t.node.op is ACCUMULATE):
        raise RuntimeFault(
            "{subject} is a leaf tensor that requires a gradient, and is changed in place",
            hint="put the change under `with torch.no_grad():`, or make a new value (w = w - step)",
        )


def replace(t: Tensor, result: Tensor, even: bool = False) -> Tensor:
    """Make `result` (computed out of place, from `t` among others) the new contents and history of `t`.

    `even`: all entries become the same, so places in memory that stand for several entries (`expand`) can be written.

    Raises:
        RuntimeFault: `t` is a protected leaf; the result's shape isn't `t`'s, or its dtype is of a higher category.
    """
    refuse_leaf(t, result.node is not None)
    value = result.value
    have, got = dtype_of(t.value), dtype_of(value)
    if got is not have:
        if got.category > have.category:
            raise RuntimeFault(
                f"the result is {got} and can't be written in place into a {have} tensor",
                hint="make a new tensor of the wider type instead",
            )
        value = np.asarray(value).astype(have.name)
    if shape_of(value) != t.shape:
        raise RuntimeFault(
            f"a tensor of shape {t.shape} can't take a result of shape {shape_of(value)} in place",
            hint="the result of an operation in place must have the shape of the tensor it changes",
        )
    node = result.node
    if node is None or not tape.grad_enabled:
        if node is not None and tape.levels and gated(t):
            keep_operands(node)
            with tape.grad_mode(True):
                return replace(t, result, even)
        _write(t, value, even)
        _forget(t)
        return t
    base = keep_history(t)
    inputs = tuple(_frozen(x) if x is t else x for x in node.inputs)
    _write(t, value, even)
    rebase(t, FORMS.get(node.op, node.op), inputs, node.params, value, base)
    _spoil([y for x, y in zip(node.inputs[1:], inputs[1:], strict=True) if x is t])  # as in c.addcmul_(c, w)
    return t


def _forget(t: Tensor) -> None:
    """In gradient mode, contents that require no gradient leave `t` without history (`fill_`, `zero_`)."""
    if tape.grad_enabled and t.node is not None:
        rebase(t, OVERWRITTEN, (t.node,), {}, t.value, keep_history(t))


def _write(t: Tensor, value: Any, even: bool = False) -> None:
    if t.aux is None and (type(t.value) is float or type(t.value) is int or type(t.value) is bool):
        _write_scalar(t, value)
    else:
        overwrite(t, np.asarray(value) if type(t.value) not in (float, int, bool) else _plain(value, t.value), even)


def _plain(value: Any, like: Any) -> Any:
    return type(like)(value)


def _write_scalar(t: Tensor, value: Any) -> None:
    """A scalar that nothing shares: what a hand-written optimiser does most.

    The node of what it was before (and a leaf's node) still has to tell that the value changed.
    """
    t.value = _plain(value, t.value)
    node = t.node
    if node is not None and (node.op is ACCUMULATE or not tape.grad_enabled):
        node.value = t.value  # operations that come later read the new value there
    version_of(t).change()
    if tape.events is not None:
        tape.events.changed(t)


def _frozen(t: Tensor) -> Tensor:
    """A copy of a constant operand whose memory is about to be overwritten."""
    value = t.value
    return wrap(value if type(value) in (float, int, bool) else np.array(value, copy=True))


def _spoil(constants: list[Tensor]) -> None:
    """Of these PyTorch saves no copy, but the tensor that the operation overwrites: backward can't use it."""
    for t in constants:
        version = t.extra.version = Version()
        version.change()


def copy_into(t: Tensor, source: Any) -> Tensor:
    """`t.copy_(source)`: source broadcast to `t`'s shape and cast to its dtype, with its gradient.

    Raises:
        RuntimeFault: `t` is a protected leaf, or the source does not broadcast to its shape.
    """
    if type(source) is not Tensor:
        source = wrap(source)
    refuse_leaf(t, source.requires_grad)
    have = dtype_of(t.value)
    value = np.asarray(source.value)
    if value.dtype.name != have.name:
        value = value.astype(have.name)
    if value.shape != t.shape:
        try:
            value = np.broadcast_to(value, t.shape)
        except ValueError:
            raise RuntimeFault(
                f"a value of shape {value.shape} can't be written into shape {t.shape}",
                hint="shapes must be equal, or broadcast to the shape that is written",
            ) from None
    if t.aux is not None:
        refuse_partial_overlap(t, source)
    source_node = node = None
    if not tape.grad_enabled and tape.levels and source.node is not None and gated(t):
        with tape.grad_mode(True):
            return copy_into(t, behind_gate(source))
    if tape.grad_enabled:
        source_node, node = current_node(source), current_node(t)
    if tape.grad_enabled and (source_node is not None or node is not None) and is_floating(t.value):
        base = keep_history(t)
        before: Node | Tensor = node if node is not None else _frozen(t)
        _write(t, value)
        rebase(t, COPY, (before, source_node if source_node is not None else source), {}, t.value, base)
    else:
        _write(t, value)
    return t


def refuse_partial_overlap(t: Tensor, x: Any, whole: bool = True) -> None:
    """Raises RuntimeFault where the operand `x` lies in memory that is about to be overwritten, at other places.

    As PyTorch looks: at operands whose memory has no gaps. `whole`: lying at the very same places is allowed.
    """
    if type(x) is not Tensor or (x is t and whole):
        return
    a, b = t.value, x.value
    if type(a) in _PLAIN or type(b) in _PLAIN or not (_has_no_gaps(a) and _has_no_gaps(b) and a.size and b.size):
        return
    first, second = a.__array_interface__["data"][0], b.__array_interface__["data"][0]
    if first == second and a.nbytes == b.nbytes and a.strides == b.strides and whole:
        return
    if first < second + b.nbytes and second < first + a.nbytes:
        raise RuntimeFault(
            "an operand shares memory with the tensor that is changed in place, entry by entry at other places",
            hint="clone() the operand first",
        )


_PLAIN = frozenset((float, int, bool))
_FROM_ELSEWHERE = ("index_", "scatter", "put", "masked_scatter")  # operands are read out of step with the writing


def _has_no_gaps(x: Any) -> bool:
    return bool(x.flags.c_contiguous or x.flags.f_contiguous)


def in_place(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The method with a trailing underscore of a public function."""
    whole = not getattr(function, "__name__", "").startswith(_FROM_ELSEWHERE)

    def method(self: Tensor, *args: Any, **keywords: Any) -> Tensor:
        refuse_leaf(self)
        result = function(self, *args, **keywords)
        if self.aux is not None or not whole:  # only a tensor that shares memory has a view, or a twin
            for x in args:
                refuse_partial_overlap(self, x, whole)
        return replace(self, result)

    return method


OVERWRITTEN: Op = primitive(
    "overwritten",
    lambda x: x,
    [lambda g, _y, _x: BLANK(g)],
    grad_fn="FillBackward0",
    about="contents replaced by values that do not depend on the old ones",
    formulas=("0",),
)
COPY: Op = primitive(
    "copy",
    lambda _x, source: source,
    [lambda g, _y, _x, _source: BLANK(g), lambda g, _y, _x, _source: g],
    grad_fn="torch::autograd::CopyBackwards",
    about="contents copied from another tensor",
    formulas=("0", "1"),
)
