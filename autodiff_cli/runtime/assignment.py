"""Where values are put: names, attributes, items, and tuples of those.

A target becomes one closure (`store`) when the tree is turned; it is chosen by where the scope found the name to live. An item
of a tensor that is set is a change in place of the tensor, as in PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import AttributeFault, TypeFault, ValueFault
from autodiff_cli.language import nodes
from autodiff_cli.language.scope import CELL, FREE, GLOBAL, LOCAL, Resolution
from autodiff_cli.runtime.arithmetic import kind_of
from autodiff_cli.runtime.compiler import Compiler, expression
from autodiff_cli.runtime.locate import located
from autodiff_cli.runtime.objects import UNSET, Frame, Run

Store = Callable[[Frame, Any], None]


def store(c: Compiler, target: nodes.Expr) -> Store:
    """The closure that puts a value into a target."""
    if type(target) is nodes.Name:
        return store_at(c, c.scopes.resolution[target])
    if type(target) is nodes.Attribute:
        return _store_attribute(c, target)
    if type(target) is nodes.Subscript:
        return _store_item(c, target)
    assert type(target) is nodes.Tuple or type(target) is nodes.List
    return _store_parts(c, target)


def own_slot(c: Compiler, target: nodes.Expr) -> int | None:
    """The number of the running frame's slot that holds a name; None for anything else."""
    if type(target) is not nodes.Name:
        return None
    kind, i = c.scopes.resolution[target]
    if kind == LOCAL:
        return i + 1
    # the module's frame is the list of globals
    return i if kind == GLOBAL and c.scope is c.scopes.module else None


def store_at(c: Compiler, place: Resolution) -> Store:
    """The closure that puts a value into a resolved variable."""
    kind, i = place
    if kind == GLOBAL:
        variables = c.globals

        def to_global(f: Frame, value: Any) -> None:
            variables[i] = value

        return to_global
    if kind == LOCAL:
        i += 1

        def to_local(f: Frame, value: Any) -> None:
            f[i] = value

        return to_local
    if kind == CELL:
        i += 1

        def to_cell(f: Frame, value: Any) -> None:
            f[i][0] = value

        return to_cell
    assert kind == FREE

    def to_free(f: Frame, value: Any) -> None:
        f[0][i][0] = value

    return to_free


def unset_at(c: Compiler, place: Resolution) -> Callable[[Frame], bool]:
    """The closure that empties a variable; it tells whether there was something in it."""
    kind, i = place
    put = store_at(c, place)

    def run(f: Frame) -> bool:
        holder = c.globals if kind == GLOBAL else f
        found = holder[i] if kind == GLOBAL else f[i + 1] if kind == LOCAL else None
        if kind == CELL:
            found = f[i + 1][0]
        elif kind == FREE:
            found = f[0][i][0]
        put(f, UNSET)
        return found is not UNSET

    return run


# The attributes that programs may set, and on what.
SETTABLE: dict[type, frozenset[str]] = {Tensor: frozenset(("grad", "requires_grad", "data"))}


def _store_attribute(c: Compiler, target: nodes.Attribute) -> Store:
    owner, name = c.expr(target.value), target.attr

    def run(f: Frame, value: Any) -> None:
        x = owner(f)
        if name not in SETTABLE.get(type(x), ()):
            raise AttributeFault(
                f"the attribute '{name}' of {kind_of(x)} cannot be set",
                hint="a tensor lets .grad, .requires_grad and .data be set",
                span=target.span,
            )
        tape.site = target
        try:
            setattr(x, name, value)
        except Exception as e:
            raise located(e, target) from None

    return run


def _store_item(c: Compiler, target: nodes.Subscript) -> Store:
    owner, index = c.expr(target.value), c.expr(target.index)

    def run(f: Frame, value: Any) -> None:
        set_item(owner(f), index(f), value, target)

    return run


def set_item(x: Any, index: Any, value: Any, site: Any) -> None:
    """`x[index] = value`, in place."""
    tape.site = site
    if type(x) is not Tensor and not isinstance(x, (list, dict)):
        raise TypeFault(f"items of {kind_of(x)} cannot be set", span=site.span)
    try:
        x[index] = value
    except Exception as e:
        raise located(e, site) from None


def _store_parts(c: Compiler, target: nodes.Tuple | nodes.List) -> Store:
    parts = target.elements
    puts = [store(c, p.value if type(p) is nodes.Starred else p) for p in parts]
    star = next((i for i, p in enumerate(parts) if type(p) is nodes.Starred), -1)
    count = len(parts)

    def run(f: Frame, value: Any) -> None:
        from autodiff_cli.runtime.expressions import iterate

        items = value if type(value) in (tuple, list) else list(iterate(value, target))
        if star >= 0 and len(items) >= count - 1:
            tail = count - star - 1
            end = len(items) - tail
            items = [*items[:star], list(items[star:end]), *items[end:]]
        if len(items) != count:
            wanted = f"at least {count - 1}" if star >= 0 else str(count)
            raise ValueFault(f"{len(items)} values for {wanted} names", span=target.span)
        for put, item in zip(puts, list(items), strict=True):
            put(f, item)

    return run


@expression(nodes.Subscript)
def subscript(c: Compiler, e: nodes.Subscript) -> Run:
    owner, index = c.expr(e.value), c.expr(e.index)

    def run(f: Frame) -> Any:
        x = owner(f)
        i = index(f)
        if (type(x) is list or type(x) is tuple) and type(i) is int:
            try:
                return x[i]
            except IndexError as error:
                raise located(error, e) from None
        return get_item(x, i, e)

    return run


def get_item(x: Any, index: Any, site: Any) -> Any:
    """`x[index]`."""
    tape.site = site
    if not hasattr(type(x), "__getitem__") or isinstance(x, type):
        raise TypeFault(f"{kind_of(x)} has no items", span=site.span)
    try:
        return x[index]
    except Exception as error:
        raise located(error, site) from None


@expression(nodes.Slice)
def slice_of(c: Compiler, e: nodes.Slice) -> Run:
    parts = [None if p is None else c.expr(p) for p in (e.start, e.stop, e.step)]
    return lambda f: slice(*(None if p is None else p(f) for p in parts))
