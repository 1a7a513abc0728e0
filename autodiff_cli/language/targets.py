"""What can be assigned to, deleted, or bound by a loop."""

from __future__ import annotations

from autodiff_cli.language import nodes
from autodiff_cli.source import Span


def check_target(target: nodes.Expr) -> None:
    """Accept what `=`, `for` and `as` can bind. Raises SyntaxFault for the rest."""
    pending = [(target, False)]
    while pending:
        target, inside = pending.pop()
        if isinstance(target, nodes.Name | nodes.Attribute | nodes.Subscript):
            continue
        if isinstance(target, nodes.Tuple | nodes.List):
            stars = [e for e in target.elements if isinstance(e, nodes.Starred)]
            if len(stars) > 1:
                _refuse("two-stars", stars[1].span)
            pending += [(element, True) for element in target.elements]
        elif isinstance(target, nodes.Starred):
            if not inside:
                _refuse("lone-star-target", target.span)
            pending.append((target.value, False))
        else:
            _refuse_target(target)


def check_single_target(target: nodes.Expr, slip: str) -> None:
    """Accept a name, an attribute or an item. Raises SyntaxFault, `slip` for several targets."""
    if isinstance(target, nodes.Tuple | nodes.List | nodes.Starred):
        _refuse(slip, target.span)
    if not isinstance(target, nodes.Name | nodes.Attribute | nodes.Subscript):
        _refuse_target(target)


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
            _refuse("delete-expression", target.span)
    return tuple(found)


def _refuse(slip: str, span: Span) -> None:
    from autodiff_cli.language.mistakes import fault

    raise fault(slip, span)


def _refuse_target(target: nodes.Expr) -> None:
    from autodiff_cli.language.mistakes import target_fault

    raise target_fault(target)
