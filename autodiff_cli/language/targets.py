"""What can be assigned to, deleted, or bound by a loop."""

from __future__ import annotations

from autodiff_cli.language import nodes
from autodiff_cli.language.misfit import Misfit, refuse


def check_value(value: nodes.Expr | None) -> None:
    """Accept a value: any expression but a lone `*e`."""
    if isinstance(value, nodes.Starred):
        refuse("lone-star", value.span)


def check_target(target: nodes.Expr) -> None:
    """Accept what `=`, `for` and `as` can bind. Raises Misfit for the rest."""
    pending = [(target, False)]
    while pending:
        target, inside = pending.pop()
        if isinstance(target, nodes.Name | nodes.Attribute | nodes.Subscript):
            continue
        if isinstance(target, nodes.Tuple | nodes.List):
            stars = [e for e in target.elements if isinstance(e, nodes.Starred)]
            if len(stars) > 1:
                refuse("two-stars", stars[1].span)
            pending += [(element, True) for element in target.elements]
        elif isinstance(target, nodes.Starred):
            if not inside:
                refuse("lone-star-target", target.span)
            pending.append((target.value, False))
        else:
            refuse("target", target.span, target=target)


def assignable(target: nodes.Expr) -> bool:
    """Whether `check_target` accepts it."""
    try:
        check_target(target)
    except Misfit:
        return False
    return True


def check_single_target(target: nodes.Expr, slip: str) -> None:
    """Accept a name, an attribute or an item. Raises Misfit, `slip` for several targets."""
    if isinstance(target, nodes.Tuple | nodes.List | nodes.Starred):
        refuse(slip, target.span)
    if not isinstance(target, nodes.Name | nodes.Attribute | nodes.Subscript):
        refuse("target", target.span, target=target)


def deletable(target: nodes.Expr) -> tuple[nodes.Expr, ...]:
    """The targets of a `del`, out of their tuples."""
    found: list[nodes.Expr] = []
    pending = [target]
    while pending:
        target = pending.pop()
        if isinstance(target, nodes.Tuple | nodes.List):
            pending += reversed(target.elements)
        elif isinstance(target, nodes.Name | nodes.Attribute | nodes.Subscript):
            found.append(target)
        else:
            refuse("delete-expression", target.span)
    return tuple(found)
