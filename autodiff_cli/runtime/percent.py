"""`text % values`: printf's formatting of strings, as Python has it.

Each field is formatted by itself, from a Python value: `%s` and `%r` of a tensor are what it prints, `%d` and `%f` the number
in it. Invariant: no field is wider than a million characters.
"""

from __future__ import annotations

import re
from typing import Any

from autodiff_cli.engine.formatting import MAX_FIELD
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import KeyFault, LimitFault, TypeFault, ValueFault
from autodiff_cli.runtime.arithmetic import refuse_nesting

_FIELD = re.compile(
    r"%(?:\((?P<key>[^()]*)\))?(?P<flags>[-+ #0]*)(?P<width>\*|\d*)(?:\.(?P<precision>\*|\d*))?[hlL]?(?P<kind>.?)",
    re.DOTALL,
)
_TEXT, _WHOLE, _FLOAT = "sra", "diuoxXc", "eEfFgG"


def percent(text: str, values: Any) -> str:
    """`text % values`.

    Raises:
        TypeFault: too few values, or too many, or one of another kind than its field's.
        ValueFault: an unknown field, or one that the text ends in; a tensor of several elements for a number.
        KeyFault: a dict without the field's name.
        LimitFault: a field of more than a million characters.
    """
    refuse_nesting(values)
    waiting = list(values) if isinstance(values, tuple) else [values]
    named = isinstance(values, (dict, list, Tensor))  # Python lets such a value stand without a field for it

    def take() -> Any:
        if not waiting:
            raise TypeFault("there are fewer values than fields in the text before %")
        return waiting.pop(0)

    def size(digits: str | None) -> str:
        wanted = take() if digits == "*" else int(digits) if digits else None
        if wanted is not None and type(wanted) is not int:
            raise TypeFault("a * in a field takes an int")
        if wanted is not None and abs(wanted) > MAX_FIELD:
            raise LimitFault(f"a field of {abs(wanted):,} characters; at most {MAX_FIELD:,} are written")
        return "" if wanted is None else str(wanted)

    def field(match: re.Match[str]) -> str:
        kind = match["kind"]
        if kind == "%":
            return "%"
        if not kind or kind not in _TEXT + _WHOLE + _FLOAT:
            raise ValueFault(
                f"there is no field {match[0]!r}" if kind else "the text before % ends within a field",
                hint="a sign of per cent is written %% there",
            )
        width, precision = size(match["width"]), "" if match["precision"] is None else "." + size(match["precision"])
        if match["key"] is None:
            value = take()
        elif not isinstance(values, dict):
            raise TypeFault(f"the field {match[0]!r} takes its value from a dict")
        elif match["key"] not in values:
            raise KeyFault(match["key"])
        else:
            value = values[match["key"]]
        return _formatted(f"%{match['flags']}{width}{precision}{kind}", kind, value)

    out = _FIELD.sub(field, text)
    if waiting and not named:
        raise TypeFault("there are more values than fields in the text before %")
    return out


def _formatted(spec: str, kind: str, value: Any) -> str:
    if type(value) is Tensor and kind not in _TEXT:
        if value.numel() != 1:
            raise ValueFault(f"%{kind} takes one number; the tensor has shape {tuple(value.shape)}")
        value = value.item()
    try:
        return spec % (value,)
    except TypeError as error:
        raise TypeFault(str(error), hint='or write an f-string: f"{x:.3f}"') from None
    except (ValueError, OverflowError) as error:
        raise ValueFault(str(error)) from None
