"""Calls: of the program's functions, of the library's, of methods.

A call of a few plain arguments is a closure of its own, in which a function of the program is entered without a list or a dict
of arguments (fused.py); every other goes through `invoke`.

Invariant: a fault of the library leaves with the place of the call, in the program's words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.levels import Derived
from autodiff_cli.engine.outputs import call_into
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import Fault, KeyFault, SyntaxFault, TypeFault
from autodiff_cli.language import nodes
from autodiff_cli.nearest import nearest
from autodiff_cli.runtime.arithmetic import kind_of
from autodiff_cli.runtime.attributes import PROPERTIES, attributes_of, get_attribute, method_of
from autodiff_cli.runtime.compiler import Compiler, expression
from autodiff_cli.runtime.expressions import elements, operand
from autodiff_cli.runtime.functions import GradMode, UserFunction
from autodiff_cli.runtime.fused import fused_call
from autodiff_cli.runtime.inline import Operand
from autodiff_cli.runtime.locate import located
from autodiff_cli.runtime.objects import UNSET, Bound, Frame, Namespace, Native, Run

# numpy's names for PyTorch's keywords, which PyTorch takes too
KEYWORD_ALIASES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "self": "input"}


@expression(nodes.Attribute)
def attribute(c: Compiler, e: nodes.Attribute) -> Run:
    owner, name = c.expr(e.value), known_attribute(c, e)
    known = name in PROPERTIES[Tensor] and name != "shape"  # read as it is: what an optimiser's loop does most

    def run(f: Frame) -> Any:
        x = owner(f)
        tape.site = e
        try:
            if type(x) is Tensor and known:
                return getattr(x, name)
            return get_attribute(x, name)
        except Exception as error:
            raise located(error, e) from None

    return run


_LATER = frozenset((("torch", "optim"), ("torch.nn", "Module"), ("torch.autograd", "Function")))


def known_attribute(c: Compiler, e: nodes.Attribute) -> str:
    """The attribute's name, which some value of a program must have.

    Raises:
        SyntaxFault: none has it; the program is refused before it runs.
    """
    from autodiff_cli.runtime.library import is_attribute

    if not is_attribute(e.attr):
        owner = c.source.slice(e.value.span)
        path = owner.split(".")
        space = c.library.get(path[0])
        for part in path[1:]:
            space = space.table.get(part) if type(space) is Namespace else None
        if (owner, e.attr) in _LATER or (owner in ("torch.nn", "nn") and e.attr[:1].isupper()):
            raise SyntaxFault(
                f"'{owner}.{e.attr}' is not in the language yet: it is made of classes",
                hint="write a layer as a function, F.linear(x, w, b), and an optimiser's step by hand, under torch.no_grad()",
                span=e.attr_span,
            )
        close = nearest(e.attr, space.table if type(space) is Namespace else attributes_of(Tensor))
        hint = f"did you mean {owner}.{close}?" if close and len(owner) < 40 else None
        told = f"{space.name} has no '{e.attr}' here" if type(space) is Namespace else None
        raise SyntaxFault(told or f"there is no attribute or method '{e.attr}'", hint=hint, span=e.attr_span)
    return e.attr


@expression(nodes.Call)
def call(c: Compiler, e: nodes.Call) -> Run:
    keywords = _keywords(c, e.keywords)
    if type(e.func) is nodes.Attribute:
        return _method_call(c, e, e.func, elements(c, e.args), keywords)
    if is_plain_call(e):
        func, general = plain_callee(c, e)
        return fused_call(func, [operand(c, a) for a in e.args], general)
    called, args = c.expr(e.func), elements(c, e.args)
    if keywords is None:
        return lambda f: invoke(called(f), args(f), _NONE, e)
    return lambda f: invoke(called(f), args(f), keywords(f), e)


def is_plain_call(e: nodes.Call) -> bool:
    """Whether it is `name(a, b)`: few arguments, none of them spread out or given by name."""
    return (
        type(e.func) is not nodes.Attribute
        and not e.keywords
        and len(e.args) <= 4
        and not any(type(a) is nodes.Starred for a in e.args)
    )


def plain_callee(c: Compiler, e: nodes.Call) -> tuple[Operand, Callable[..., Any]]:
    """What a plain call calls, and what calls it where it is no function of the program with as many parameters."""
    callee = c.expr(e.func)

    def general(f: Frame, func: Any, values: list[Any]) -> Any:
        return invoke(callee(f) if func is UNSET else func, values, _NONE, e)

    return operand(c, e.func, callee), general


_NONE: dict[str, Any] = {}


def _keywords(c: Compiler, parts: tuple[nodes.Keyword, ...]) -> Run | None:
    if not parts:
        return None
    runs = [(k.name, c.expr(k.value), k) for k in parts]

    def run(f: Frame) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for name, value, at in runs:
            if name is not None:
                out[name] = value(f)
                continue
            mapping = value(f)
            if not isinstance(mapping, dict) or not all(isinstance(k, str) for k in mapping):
                raise TypeFault("'**' in a call spreads a dict whose keys are names", span=at.span)
            out.update(mapping)
        return out

    return run


def _method_call(c: Compiler, e: nodes.Call, func: nodes.Attribute, args: Run, keywords: Run | None) -> Run:
    owner, on = c.expr(func.value), method_call_on(c, e, func, args, keywords)
    return lambda f: on(f, owner(f))


def method_call_on(
    c: Compiler, e: nodes.Call, func: nodes.Attribute, args: Run, keywords: Run | None
) -> Callable[[Frame, Any], Any]:
    """What calls a method of a value, or a function of a module, that is there already."""
    name = known_attribute(c, func)

    def run(f: Frame, x: Any) -> Any:
        if type(x) is Namespace:
            target = x.table.get(name)
            if target is not None:
                return invoke(target, args(f), _NONE if keywords is None else keywords(f), e)
        method = method_of(x, name)
        if method is None:
            tape.site = func
            try:
                target = get_attribute(x, name)
            except Exception as error:
                raise located(error, func) from None
            return invoke(target, args(f), _NONE if keywords is None else keywords(f), e)
        values = args(f)
        tape.site = e
        try:
            if keywords is None:
                return method(x, *values)
            return call_renamed(method, (x, *values), keywords(f))
        except Exception as error:
            raise call_fault(error, name, method, values, e, plain=type(x) is not Tensor) from None

    return run


def invoke(func: Any, args: Any, keywords: dict[str, Any], site: Any) -> Any:
    """Call a value of the language."""
    kind = type(func)
    if kind is UserFunction:
        try:
            return func.run(func.bind(args, keywords))
        except Fault as error:
            if error.span is None:
                error.span = site.span
            raise
    tape.site = site
    if not isinstance(func, (Native, Bound, GradMode, Derived)):
        raise TypeFault(
            f"{kind_of(func)} cannot be called",
            hint="write * between factors that are multiplied" if isinstance(func, (Tensor, float, int)) else None,
            span=site.span,
        )
    try:
        if not keywords:
            return func(*args)
        return call_renamed(func, tuple(args), keywords)
    except Exception as error:
        name = getattr(func, "name", "this")
        raise call_fault(
            error, name, getattr(func, "call", None), args, site, plain=getattr(func, "plain", False)
        ) from None


def call_renamed(func: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """A call whose keywords may be numpy's names, or `out`."""
    try:
        return func(*args, **keywords)
    except TypeError as error:
        if "out" in keywords and "unexpected keyword argument 'out'" in str(error):
            return call_into(func, args, keywords, getattr(func, "name", getattr(func, "__name__", "this")))
        if isinstance(error, Fault) or not keywords.keys() & KEYWORD_ALIASES.keys():
            raise
        renamed = {KEYWORD_ALIASES.get(k, k): v for k, v in keywords.items()}
        return func(*args, **renamed)


def call_fault(error: BaseException, name: str, function: Any, args: Any, site: Any, plain: bool) -> BaseException:
    """What a failed call of the library tells the program.

    A signature that does not fit is a TypeError of Python's with our internal names in it: told in the program's words.
    An exception from within the engine on tensors and numbers alone is a bug, and stays one.
    """
    if isinstance(error, Fault):
        return located(error, site)
    if isinstance(error, TypeError) and _SIGNATURE.search(str(error)):
        return TypeFault(f"{name}(): {_signature_words(str(error))}", hint=_usage(name, function), span=site.span)
    if isinstance(error, KeyError) and name == "format":
        return KeyFault(f"format() has no value for the field {error}", span=site.span)
    if isinstance(
        error, (TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError, RecursionError, MemoryError)
    ):
        return located(error, site)
    if plain or not all(isinstance(a, (Tensor, float, int)) for a in args):
        if isinstance(error, (AttributeError, KeyError)) and not plain:
            kinds = ", ".join(kind_of(a) for a in args)
            return TypeFault(f"{name}() cannot take these arguments: {kinds}", span=site.span)
        return located(error, site)
    return error


_SIGNATURE = re.compile(r"argument|positional|keyword")


def _usage(name: str, function: Any) -> str | None:
    """The arguments that a function has."""
    from inspect import signature

    try:
        names = [str(p).split(":")[0].split(" =")[0] for p in signature(function).parameters.values()]
    except (TypeError, ValueError):
        return None
    return (
        f"it takes {name}({', '.join(names)})" if not any(n.startswith(("*args", "**", "*_")) for n in names) else None
    )


def _signature_words(text: str) -> str:
    text = re.sub(r"^[\w.<>]+\(\) ", "", text)
    for pattern, words in (
        (r"got an unexpected keyword argument '(\w+)'.*", r"there is no argument '\1'"),
        (r"missing \d+ required (?:positional|keyword-only) arguments?: (.*)", r"the argument \1 is missing"),
        (r"takes (?:from \d+ to )?(\d+) positional arguments? but (\d+) .*", r"at most \1 arguments, and \2 are given"),
        (r"got multiple values for argument '(\w+)'", r"the argument '\1' is given twice"),
    ):
        if re.fullmatch(pattern, text):
            return re.sub(pattern, words, text)
    return text
