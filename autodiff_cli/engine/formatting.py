"""How a tensor is written: PyTorch 2.13's `print(tensor)`, to the character, and `f"{tensor:.3f}"`.

All elements that will be seen are written first, in one style that is chosen from all of them (whole
numbers `1.`, fixed point `1.5000`, or scientific), and padded to one width. Then the cells are folded into
rows, rows into matrices and so on, from the last dimension outwards. Past `threshold` elements only
`edgeitems` at each end of a dimension are seen; the rest is neither read nor measured, so a large tensor
costs what its text costs.

Invariant: a 0-d value that is a Python number is written without numpy, and nothing here imports it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from autodiff_cli.errors import Fault, LimitFault, TypeFault, ValueFault

OPENING = "tensor("
MAX_FIELD = 1_000_000  # characters that one format spec may ask for
MAX_PRECISION = 1_100  # a float64 has at most 1,074 decimals

_PROFILES: dict[str, tuple[int, float, int, int]] = {
    "default": (4, 1000, 3, 80),
    "short": (2, 1000, 2, 80),
    "full": (4, math.inf, 3, 80),
}


class PrintOptions:
    """The state that `torch.set_printoptions` sets.

    `precision`: digits after the point. `threshold`: number of elements past which a tensor is summarised.
    `edgeitems`: elements shown at each end of a summarised dimension. `linewidth`: columns of a line.
    `sci_mode`: scientific notation always (True), never (False), or as the elements ask (None).
    """

    __slots__ = ("edgeitems", "linewidth", "precision", "sci_mode", "threshold")

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """The state in which a run begins."""
        self.sci_mode: bool | None = None
        self.precision, self.threshold, self.edgeitems, self.linewidth = _PROFILES["default"]

    def update(
        self,
        precision: int | None = None,
        threshold: float | None = None,
        edgeitems: int | None = None,
        linewidth: int | None = None,
        profile: str | None = None,
        sci_mode: bool | None = None,
    ) -> None:
        """`torch.set_printoptions`: None leaves an option as it is, except `sci_mode`, which it resets.

        An unknown profile is ignored, as PyTorch ignores it. Raises TypeFault or ValueFault for an option
        that no tensor could be printed with; PyTorch raises the same when it prints.
        """
        _check_count("precision", precision, MAX_PRECISION)
        _check_count("edgeitems", edgeitems, None)
        for name, given in (("threshold", threshold), ("linewidth", linewidth)):
            if given is not None and not isinstance(given, (int, float)):
                raise TypeFault(f"set_printoptions: {name} must be a number, not {type(given).__name__}")
        if linewidth is not None and not math.isfinite(linewidth):
            raise ValueFault(f"set_printoptions: linewidth must be finite, not {linewidth}")
        if profile in _PROFILES:
            self.precision, self.threshold, self.edgeitems, self.linewidth = _PROFILES[profile]
        if precision is not None:
            self.precision = precision
        if threshold is not None:
            self.threshold = threshold
        if edgeitems is not None:
            self.edgeitems = edgeitems
        if linewidth is not None:
            self.linewidth = linewidth
        self.sci_mode = sci_mode

    def as_dict(self) -> dict[str, Any]:
        """`torch._tensor_str.get_printoptions`: keywords that `update` takes."""
        names = ("precision", "threshold", "edgeitems", "linewidth", "sci_mode")
        return {name: getattr(self, name) for name in names}


def _check_count(name: str, given: Any, most: int | None) -> None:
    if given is None:
        return
    if type(given) is not int:
        raise TypeFault(f"set_printoptions: {name} must be an int, not {type(given).__name__}")
    if given < 0 or (most is not None and given > most):
        allowed = "0 or more" if most is None else f"between 0 and {most}"
        raise ValueFault(f"set_printoptions: {name} must be {allowed}, not {given}")


DEFAULT_OPTIONS = PrintOptions()


def format_tensor(
    value: Any,
    dtype: str,
    *,
    requires_grad: bool = False,
    grad_fn: str | None = None,
    default_dtype: str = "float64",
    options: PrintOptions = DEFAULT_OPTIONS,
) -> str:
    """The text that PyTorch prints for a tensor.

    `value`: a float, int or bool (0-d), or an ndarray of any shape. `dtype` and `default_dtype`: names
    without `torch.`. `grad_fn`: the node's name (`MulBackward0`), None for a leaf or a constant.
    """
    shape: tuple[int, ...] = getattr(value, "shape", ())
    empty = 0 in shape
    suffixes = []
    if (empty and len(shape) != 1) or (not empty and options.edgeitems == 0):
        suffixes.append(f"size={tuple(shape)}")
    if dtype != default_dtype and (empty or dtype not in ("int64", "bool")):
        suffixes.append(f"dtype=torch.{dtype}")
    if grad_fn is not None:
        suffixes.append(f"grad_fn=<{grad_fn}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    floating = "float" in dtype
    if empty:
        body = "[]"
    elif not shape:
        item = value.item() if hasattr(value, "item") else value
        body = _cells([item], floating, options)[0][0]
    else:
        body = _array_body(value, floating, options)
    return _with_suffixes(OPENING + body, suffixes, options.linewidth)


def _with_suffixes(text: str, suffixes: list[str], linewidth: float) -> str:
    """Append `, suffix` for each, on a new line where the line would pass `linewidth`; then the parenthesis.

    PyTorch counts two columns more than the last line of the elements has, and none more for a line that a
    suffix began; the text is to be the same, so the count is.
    """
    column = len(text) - (text.rfind("\n") + 1) + 2
    for suffix in suffixes:
        if column + len(suffix) + 2 > linewidth:
            text += ",\n" + " " * len(OPENING) + suffix
            column = len(OPENING) + len(suffix)
        else:
            text += ", " + suffix
            column += len(suffix) + 2
    return text + ")"


def _cells(values: Sequence[Any], floating: bool, options: PrintOptions) -> tuple[list[str], int]:
    """(every element's text in one style, padded on the left to one width; that width in columns).

    The width is that of the widest element that is neither zero nor infinite nor nan: a lone `-0.` or `inf`
    among narrower numbers sticks out, as it does in PyTorch.
    """
    if not floating:
        texts = [str(v) for v in values]
        width = max(map(len, texts))
    else:
        style, dot = _float_style(values, options)
        texts = [style % v + dot if math.isfinite(v) else style % v for v in values]
        width = max((len(t) for t, v in zip(texts, values, strict=True) if v and math.isfinite(v)), default=1)
    return [t.rjust(width) for t in texts], width


def _float_style(values: Sequence[float], options: PrintOptions) -> tuple[str, str]:
    """(conversion, what follows a finite number): `%.0f` and a dot, `%.4f`, or `%.4e`."""
    sizes = [abs(v) for v in values if v and math.isfinite(v)]
    if not sizes:
        return "%.0f", "."
    scientific = options.sci_mode
    if scientific is None:
        least, most = min(sizes), max(sizes)
        scientific = most / least > 1000.0 or most > 1.0e8 or least < 1.0e-4
    if scientific:
        return f"%.{options.precision}e", ""
    if all(size.is_integer() for size in sizes):
        return "%.0f", "."
    return f"%.{options.precision}f", ""


def _array_body(value: Any, floating: bool, options: PrintOptions) -> str:
    """The nested brackets of an array with at least one dimension and one element."""
    edge = options.edgeitems
    summarised = value.size > options.threshold
    if summarised and edge == 0:
        return "[...]"
    cut = [summarised and n > 2 * edge for n in value.shape]
    for axis, n in enumerate(value.shape):
        if cut[axis]:
            # an index, not take(): take copies the whole of an array that isn't contiguous
            value = value[(slice(None),) * axis + ([*range(edge), *range(n - edge, n)],)]
    cells, width = _cells(value.ravel().tolist(), floating, options)

    last = value.ndim - 1
    indent = len(OPENING) + last
    per_line = max(1, math.floor((options.linewidth - indent) / (width + 2)))
    blocks: list[str] = []
    for group in _groups(cells, value.shape[last]):
        row = _gapped(group, " ...", edge if cut[last] else None)
        lines = [", ".join(line) for line in _groups(row, per_line)]
        blocks.append("[" + (",\n" + " " * (indent + 1)).join(lines) + "]")
    for axis in range(last - 1, -1, -1):
        joint = "," + "\n" * (last - axis) + " " * (len(OPENING) + axis + 1)
        blocks = [
            "[" + joint.join(_gapped(group, "...", edge if cut[axis] else None)) + "]"
            for group in _groups(blocks, value.shape[axis])
        ]
    return blocks[0]


def _groups(items: list[str], length: int) -> list[list[str]]:
    return [items[i : i + length] for i in range(0, len(items), length)]


def _gapped(items: list[str], gap: str, at: int | None) -> list[str]:
    return items if at is None else [*items[:at], gap, *items[at:]]


def format_value(value: Any, spec: str, text: Callable[[], str]) -> str:
    """`f"{tensor:spec}"`: a 0-d tensor is formatted as its item, any other is `text()` and takes no spec.

    Raises TypeFault for a spec on a tensor with dimensions, and what `format_item` raises.
    """
    if not getattr(value, "shape", ()):
        return format_item(value.item() if hasattr(value, "item") else value, spec)
    if spec:
        raise TypeFault(
            "unsupported format string passed to Tensor.__format__",
            hint="only a 0-d tensor takes a format such as :.3f; format its elements one by one, "
            "or print the tensor as it is",
        )
    return text()


def format_item(item: Any, spec: str) -> str:
    """Python's `format(item, spec)` of a plain object.

    Raises ValueFault for a spec that Python refuses, TypeFault for an object that takes none, LimitFault
    for a spec that asks for more than a million characters.
    """
    if not spec:
        return format(item)
    widest = max((int(digits[:12]) for digits in re.findall(r"[0-9]+", spec)), default=0)
    if widest > MAX_FIELD:
        limit = f"at most {MAX_FIELD:,} are written"
        raise LimitFault(f"the format :{spec[:40]} asks for {widest:,} characters; {limit}")
    try:
        return format(item, spec)
    except Fault:  # an element's own, in a list
        raise
    except TypeError as error:
        raise TypeFault(str(error), hint="only numbers and strings take a format such as :.3f") from None
    except (ValueError, OverflowError) as error:
        hint = "formats are Python's, for example :.3f, :10.4g, :+.2e, :>8"
        raise ValueFault(str(error), hint=hint) from None
