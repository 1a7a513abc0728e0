"""The arguments of a public function held to its annotations, before the function looks at any of them.

So PyTorch's parser of arguments does: a wrong kind is a TypeError whatever the others are. An annotation of one word
(`int`, `bool`, `str`, `float`, each also with `| None`) is held to; tensors, and what may be of several kinds, are the
function's own affair. A bool is no int here, as in PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from autodiff_cli.errors import TypeFault


def _whole(x: Any) -> bool:
    return type(x) is int or (type(x) is not bool and hasattr(x, "__index__"))


def _number(x: Any) -> bool:
    return isinstance(x, (float, int)) or hasattr(x, "__float__")


_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "int": (_whole, "an int"),
    "bool": (lambda x: isinstance(x, bool), "True or False"),
    "str": (lambda x: isinstance(x, str), "a string"),
    "float": (_number, "a number"),
}
_FREE = ("return", "reduction")  # what is no reduction is a ValueError, of whatever kind it is
_NAMES = {"NoneType": "None", "Tensor": "a tensor", "list": "a list", "tuple": "a tuple"}


def _kind(annotation: Any) -> tuple[Callable[[Any], bool], str] | None:
    word, _, rest = str(annotation).partition(" | ")
    if word not in _KINDS or rest not in ("", "None"):
        return None
    fits, wanted = _KINDS[word]
    return (fits, wanted) if not rest else (lambda x: x is None or fits(x), wanted)


def held(call: Callable[..., Any]) -> Callable[..., Any]:
    """The function, preceded by a look at the arguments that its annotations speak of; itself where there are none.

    Raises (when run):
        TypeFault: an argument is of another kind.
    """
    code = call.__code__
    found = {name: _kind(annotation) for name, annotation in call.__annotations__.items() if name not in _FREE}
    kinds = {name: kind for name, kind in found.items() if kind is not None}
    places = [(i, name) for i, name in enumerate(code.co_varnames[: code.co_argcount]) if name in kinds]
    if not kinds:
        return call

    @wraps(call)
    def run(*args: Any, **keywords: Any) -> Any:
        count = len(args)
        for i, name in places:
            if i < count and not kinds[name][0](args[i]):
                raise _refused(call, name, kinds[name][1], args[i])
        for name, x in keywords.items():
            if name in kinds and not kinds[name][0](x):
                raise _refused(call, name, kinds[name][1], x)
        return call(*args, **keywords)

    return run


def in_one(call: Callable[..., Any]) -> Callable[..., Any]:
    """A method that takes sizes one by one (`x.permute(1, 0)`) as a function, which takes them in a tuple.

    Raises (when run):
        TypeFault: they are given one by one.
    """

    @wraps(call)
    def run(input: Any, *sizes: Any, **keywords: Any) -> Any:
        if sizes and (len(sizes) > 1 or not isinstance(sizes[0], (list, tuple))):
            given = ", ".join(map(repr, sizes))
            raise TypeFault(
                f"torch.{call.__name__} takes its sizes or dimensions in one tuple",
                hint=f"write torch.{call.__name__}(x, ({given}{',' if len(sizes) == 1 else ''})), or "
                f"x.{call.__name__}({given})",
            )
        if not sizes and not keywords:
            raise TypeFault(f"torch.{call.__name__}: the sizes or dimensions are missing")
        return call(input, *sizes, **keywords)

    return run


def _refused(call: Callable[..., Any], name: str, wanted: str, x: Any) -> TypeFault:
    kind = type(x).__name__
    return TypeFault(f"{call.__name__}: the argument '{name}' must be {wanted}, not {_NAMES.get(kind, kind)}")
