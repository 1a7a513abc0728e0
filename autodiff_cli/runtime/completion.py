"""A fault of the engine, told with the program's own text: the engine knows tree nodes, not what they say."""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.saved import FreedFault, StaleFault
from autodiff_cli.errors import Fault
from autodiff_cli.language import nodes
from autodiff_cli.source import Source


def complete(fault: Fault, source: Source, site: Any) -> None:
    """Give a fault its source, its place, and the text of the operands it speaks of."""
    if fault.source is None:
        fault.source = source
    operands = getattr(fault, "operands", None)
    if operands:
        fault.message = fault.message.format(*(f"`{source.slice(span)}`" for span in operands))
        del fault.operands  # type: ignore[attr-defined]
    if isinstance(fault, StaleFault):
        _tell_change(fault, source)
    if isinstance(fault, FreedFault):
        _tell_freed(fault, source)
    if Fault.SUBJECT in fault.message:
        thing = None if site is None else _changed_thing(site)
        known = isinstance(thing, (nodes.Name, nodes.Attribute, nodes.Subscript))
        text = f"`{source.slice(thing.span)}`" if known and thing is not None else "the value"
        fault.message = fault.message.replace(Fault.SUBJECT, text)
    if fault.span is None and site is not None and fault.source is source:
        fault.span = site.span


def _tell_change(fault: StaleFault, source: Source) -> None:
    """Which variable was changed, where, and what had saved it."""
    saved, changed = fault.saved_at, fault.changed_at
    if saved is None or changed is None or fault.notes:
        return
    name = source.slice(_changed_thing(changed).span)
    text = source.slice(saved.span)
    lines = [source.position(s.span.start).line for s in (saved, changed)]
    before, after = lines
    fault.message = (
        f"`{name}` was changed in place (line {after}) after `{text}` had saved its value for backward (line {before})"
    )
    fault.hint = (
        f"write the change as a new value ({name} = ... in place of a change in place), or change {name}.clone()"
    )
    fault.notes = ((saved.span, "saved here"), (changed.span, "changed here"))


def _tell_freed(fault: FreedFault, source: Source) -> None:
    """Which operation was met a second time."""
    saved = fault.saved_at
    if saved is None or fault.notes:
        return
    line = source.position(saved.span.start).line
    fault.message = (
        f"backward() goes through `{source.slice(saved.span)}` (line {line}) a second time: the values that it had saved "
        "were freed by the first backward()"
    )
    fault.notes = ((saved.span, "freed by the first backward()"),)
    if fault.span is None:
        fault.span = saved.span


def _changed_thing(site: Any) -> Any:
    """The part of a statement or call that names what it changes in place."""
    if isinstance(site, nodes.AugAssign):
        return site.target
    if isinstance(site, nodes.Call) and isinstance(site.func, nodes.Attribute):
        return site.func.value
    if isinstance(site, nodes.Subscript):
        return site.value
    return site
