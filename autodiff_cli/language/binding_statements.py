"""The statements of the walk in `binding.py`.

What is misplaced is refused here: `return` outside a function, `break` outside a loop, an input declared in a
block.
"""

from __future__ import annotations

from collections.abc import Callable

from autodiff_cli.language import nodes
from autodiff_cli.language.binding import Binder, visits
from autodiff_cli.language.misfit import refuse

DECLARING = ("input", "const")


def walk(module: nodes.Module, star_names: Callable[[str], frozenset[str]]) -> Binder:
    """All frames of a program; `star_names` tells what `from M import *` brings. Raises Misfit."""
    return Binder(module, star_names)


@visits(nodes.Return)
def _return(b: Binder, node: nodes.Return) -> None:
    if b.frame is b.module:
        refuse("return-outside", node.span)
    if node.value is not None:
        b.visit(node.value)


@visits(nodes.Global, nodes.Nonlocal)
def _scope_statement(b: Binder, node: nodes.Global | nodes.Nonlocal) -> None:
    """`global` and `nonlocal`."""
    word = "global" if isinstance(node, nodes.Global) else "nonlocal"
    frame = b.frame
    if frame is b.module:
        if word == "nonlocal":
            refuse("nonlocal-outside", node.span)
        return
    for name in node.names:
        if name in list(frame.bound)[: frame.parameters]:
            refuse("global-parameter", node.span, name=name, word=word)
        if name in (frame.nonlocal_names if word == "global" else frame.global_names):
            refuse("global-and-nonlocal", node.span, name=name)
        if name in frame.bound or any(use.id == name for use in frame.uses):
            refuse("global-late", node.span, name=name, word=word)
        (frame.global_names if word == "global" else frame.nonlocal_names).add(name)
        if word == "nonlocal":
            b.nonlocals.append((name, frame, node.span))


@visits(nodes.Assign)
def _assign(b: Binder, node: nodes.Assign) -> None:
    b.visit(node.value)
    names: list[str] = []
    for target in node.targets:
        b.target(target)
        names += target_names(target)
    if b.frame is b.module and names:
        b.values[node] = names[-1]


def target_names(target: nodes.Expr) -> list[str]:
    """The names that a target binds, in order."""
    if isinstance(target, nodes.Tuple | nodes.List):
        names: list[str] = []
        for element in target.elements:
            names += target_names(element)
        return names
    if isinstance(target, nodes.Starred):
        return target_names(target.value)
    return [target.id] if isinstance(target, nodes.Name) else []


@visits(nodes.AugAssign)
def _aug_assign(b: Binder, node: nodes.AugAssign) -> None:
    if isinstance(node.target, nodes.Name):
        b.read(node.target)
        b.visit(node.value)
        b.bind(node.target.id)
        if b.frame is b.module:
            b.values[node] = node.target.id
    else:
        b.visit(node.target)
        b.visit(node.value)


@visits(nodes.AnnAssign)
def _ann_assign(b: Binder, node: nodes.AnnAssign) -> None:
    declares = isinstance(node.annotation, nodes.Name) and node.annotation.id in DECLARING
    if declares:
        _declare(b, node)
    if node.value is not None:
        b.visit(node.value)
    if node.value is not None or declares:
        b.target(node.target)
        if b.frame is b.module and isinstance(node.target, nodes.Name):
            b.values[node] = node.target.id
    elif not isinstance(node.target, nodes.Name):
        b.visit(node.target)
    else:
        b.frame.uses.append(node.target)
        if b.frame is not b.module:
            b.bind(node.target.id)


def _declare(b: Binder, node: nodes.AnnAssign) -> None:
    """`x: input` and `n: const`."""
    if b.frame is not b.module or b.blocks:
        refuse("declared-inside", node.span)
    if not isinstance(node.target, nodes.Name):
        refuse("declared-attribute", node.target.span)
    name = node.target.id
    if name in b.declared.values():
        refuse("declared-twice", node.span, name=name)
    if name in b.so_far or any(read.unbound and read.node.id == name for read in b.reads):
        refuse("declared-late", node.span, name=name)
    b.declared[node] = name


@visits(nodes.ExprStmt)
def _expr_stmt(b: Binder, node: nodes.ExprStmt) -> None:
    b.visit(node.value)
    if b.frame is b.module:
        b.values[node] = node.value.id if isinstance(node.value, nodes.Name) else None


@visits(nodes.Delete)
def _delete(b: Binder, node: nodes.Delete) -> None:
    for target in node.targets:
        if isinstance(target, nodes.Name):
            if b.frame is not b.module or target.id in b.so_far:
                b.target(target)
            else:
                b.read(target)
        else:
            b.visit(target)


@visits(nodes.If)
def _if(b: Binder, node: nodes.If) -> None:
    while True:  # a long chain of `elif` is a deep tree
        b.visit(node.test)
        b.block(node.body)
        if len(node.orelse) != 1 or not isinstance(node.orelse[0], nodes.If):
            return b.block(node.orelse)
        node = node.orelse[0]


@visits(nodes.While)
def _while(b: Binder, node: nodes.While) -> None:
    b.visit(node.test)
    b.block(node.body, loop=True)
    b.block(node.orelse)


@visits(nodes.For)
def _for(b: Binder, node: nodes.For) -> None:
    b.visit(node.iterable)
    b.target(node.target)
    b.block(node.body, loop=True)
    b.block(node.orelse)


@visits(nodes.With)
def _with(b: Binder, node: nodes.With) -> None:
    for item in node.items:
        b.visit(item.context)
        if item.target is not None:
            b.target(item.target)
    b.block(node.body)


@visits(nodes.Try)
def _try(b: Binder, node: nodes.Try) -> None:
    b.block(node.body)
    for handler in node.handlers:
        if handler.type is not None:
            b.visit(handler.type)
        b.bind_node(handler, *([] if handler.name is None else [handler.name]))
        b.block(handler.body)
    b.block(node.orelse)
    b.block(node.finalbody)


@visits(nodes.Break, nodes.Continue)
def _break(b: Binder, node: nodes.Break | nodes.Continue) -> None:
    if not b.loops:
        refuse("break-outside" if isinstance(node, nodes.Break) else "continue-outside", node.span)


# --- imports


@visits(nodes.Import)
def _import(b: Binder, node: nodes.Import) -> None:
    b.bind_node(node, *[alias or module.split(".", 1)[0] for module, alias in node.names])


@visits(nodes.ImportFrom)
def _import_from(b: Binder, node: nodes.ImportFrom) -> None:
    if node.module == "__future__":
        b.bind_node(node)
    elif node.names == (("*", None),):
        if b.frame is not b.module:
            refuse("star-import-inside", node.span)
        brought = b.star_names(node.module)
        b.so_far |= brought
        b.star_imports.append((node, brought))
    else:
        b.bind_node(node, *[alias or name for name, alias in node.names])
