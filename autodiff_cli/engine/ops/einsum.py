"""einsum: sums of products written with subscripts.

The equation is first made explicit (`_canonical`): one letter a dimension, the ellipsis spelt out, the output
given. The derivative of an einsum is an einsum: the cotangent takes the operand's place and the subscripts
change sides. A subscript that only this operand has is spread again with ones, a repeated one (a diagonal) is
put back with an identity matrix; both are further operands of the same einsum.

One node stands for the whole of it, under the name of the last step that PyTorch would have run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from autodiff_cli.engine.apply import check_size, raw
from autodiff_cli.engine.arguments import tensor_arg, type_name
from autodiff_cli.engine.dtypes import dtype_of
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.ops.matrices import constant, no_bool
from autodiff_cli.engine.registry import Op, primitive, public, shape_of
from autodiff_cli.engine.tensor import Tensor
from autodiff_cli.errors import RuntimeFault, TypeFault, ValueFault

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # `string` compiles expressions when it is imported


def _sizes(terms: Sequence[str], xs: Sequence[Any]) -> dict[str, int]:
    """The size of each letter's dimension: 1 gives way to any other."""
    sizes: dict[str, int] = {}
    for term, x in zip(terms, xs, strict=True):
        for letter, n in zip(term, shape_of(x), strict=True):
            if sizes.get(letter, 1) == 1:
                sizes[letter] = n
    return sizes


def _contract(*xs: Any, terms: tuple[str, ...], output: str) -> Any:
    sizes = _sizes(terms, xs)
    if len(xs) == 1 and len(sizes) > len(output) and dtype_of(xs[0]).name == "bool":
        xs = (np.asarray(xs[0]).astype("int64"),)  # a sum of bools counts
    # looking for a good order costs more than a small sum
    optimize = len(xs) > 1 and prod(sizes.values()) > 4096
    y = np.einsum(f"{','.join(terms)}->{output}", *xs, optimize=optimize)
    return np.array(y, copy=True) if len(xs) == 1 else y


def _pull(g: Any, index: int, like: Any, others: Sequence[Any], terms: tuple[str, ...], output: str) -> Any:
    """The cotangent of operand `index`, of which only the shape is read; `others` are the other operands in order."""
    operands = [g, *others]
    subscripts = [output, *terms[:index], *terms[index + 1 :]]
    known = _sizes(subscripts, operands)
    spare = iter(c for c in LETTERS if not any(c in term for term in terms))
    dtype = dtype_of(raw(g)).name
    target = ""

    def enter(value: Any, term: str) -> None:
        operands.append(constant(value, g))
        subscripts.append(term)

    for letter, size in zip(terms[index], shape_of(like), strict=True):
        if letter in target:  # a diagonal: put back on the diagonal of a matrix
            twin = next(spare)
            enter(np.eye(size, dtype=dtype), letter + twin)
            letter = twin
        elif letter not in known or size > known[letter]:  # summed over in this operand alone: spread again
            enter(np.ones(size, dtype), letter)
        target += letter
    return _form(len(operands), contracted=True)(*operands, terms=tuple(subscripts), output=target)


def _pull_one(g: Any, _y: Any, like_x: Any, *, terms: tuple[str, ...], output: str) -> Any:
    return _pull(g, 0, like_x, (), terms, output)


def _pull_many(g: Any, _y: Any, *xs: Any, index: int, terms: tuple[str, ...], output: str) -> Any:
    return _pull(g, index, xs[index], xs[:index] + xs[index + 1 :], terms, output)


_PAIR = (
    lambda g, _y, like_a, b, *, terms, output: _pull(g, 0, like_a, (b,), terms, output),
    lambda g, _y, a, like_b, *, terms, output: _pull(g, 1, like_b, (a,), terms, output),
)


def _formula(index: int) -> Callable[..., str]:
    """The text of the rule of operand `index`."""

    def text(terms: tuple[str, ...] = (), output: str = "", index: int = index) -> str:
        if not terms:
            return "einsum with g in the place of the operand"
        others = [i for i in range(len(terms)) if i != index]
        alone = set(terms[index]) - set(output).union(*[terms[i] for i in others])
        if alone or len(set(terms[index])) < len(terms[index]):
            return "einsum with g in the place of the operand, spread over what was summed"
        inputs = ",".join([output, *[terms[i] for i in others]])
        return f"einsum('{inputs}->{terms[index]}', {', '.join(['g', *[f'x{i}' for i in others]])})"

    return text


def _op(name: str, grad_fn: str, rules: Sequence[Any], variadic: bool = False) -> Op:
    return primitive(
        name,
        _contract,
        rules,
        grad_fn=grad_fn,
        variadic=variadic,
        formulas=tuple([_formula(i) for i in range(len(rules))]),
        about="sums of products over subscripts",
    )


# (operands, whether a subscript is summed over): the op under the name of PyTorch's last step
FORMS = {
    (1, False): _op("einsum_permute", "PermuteBackward0", [_pull_one]),
    (1, True): _op("einsum_sum", "SumBackward1", [_pull_one]),
    (2, False): _op("einsum_pair_product", "MulBackward0", _PAIR),
    (2, True): _op("einsum_pair", "ViewBackward0", _PAIR),
    (3, False): _op("einsum_product", "MulBackward0", [_pull_many], variadic=True),
    (3, True): _op("einsum", "ViewBackward0", [_pull_many], variadic=True),
}


def _form(operands: int, contracted: bool) -> Op:
    return FORMS[min(operands, 3), contracted]


@public("einsum", places=("torch",), ops=tuple(FORMS.values()))
def einsum(*args: Any) -> Tensor:
    """Sums of products of tensors, written with subscripts.

    `einsum("ij,jk->ik", a, b)`, or with lists of subscripts `einsum(a, [0, 1], b, [1, 2], [0, 2])`.

    Raises:
        ValueFault: no equation or no operand.
        RuntimeFault: an equation that is not one, or sizes that do not agree with it.
    """
    equation, operands = _arguments(args)
    terms, output = _canonical(equation, operands)
    for t in operands[1:]:
        if t.dtype is not operands[0].dtype and set("".join(terms)) - set(output):
            raise RuntimeFault(
                f"einsum: the tensors must have the same dtype; they are {operands[0].dtype} and {t.dtype}"
            )
    if len(operands) > 1 and set("".join(terms)) - set(output):
        no_bool("einsum", operands[0])
    sizes = _sizes(terms, operands)
    check_size(prod(sizes[letter] for letter in output), "einsum")
    contracted = set("".join(terms)) != set(output)
    return _form(len(operands), contracted)(*operands, terms=terms, output=output)


def _arguments(args: tuple[Any, ...]) -> tuple[str, list[Tensor]]:
    """The equation as text and the operands, from any of the three call forms."""
    if not args or (len(args) == 1 and not isinstance(args[0], (list, tuple))):
        raise ValueFault("einsum needs an equation and at least one operand", hint='einsum("ij,j->i", a, x)')
    if isinstance(args[0], Tensor):
        equation, operands = _from_lists(args)
    elif isinstance(args[0], str):
        equation, operands = args[0], list(args[1:])
    else:
        raise TypeFault(f"einsum: the equation must be a string, not {type_name(args[0])}")
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = list(operands[0])
    return equation, [tensor_arg(t, "einsum", "operands") for t in operands]


def _from_lists(args: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """`einsum(a, [0, 1], b, [1, 2], [0, 2])` as an equation."""

    def text(subscripts: Any) -> str:
        found = []
        for s in subscripts:
            if s is ...:
                found.append("...")
            elif type(s) is int and 0 <= s < 52:
                found.append((LETTERS[26:] + LETTERS[:26])[s])
            else:
                raise ValueFault("einsum: a subscript in a list is a number from 0 to 51, or ...")
        return "".join(found)

    operands = list(args[0::2])
    lists = list(args[1::2])
    arrow = ""
    if len(args) % 2:
        arrow = "->" + text(operands.pop())
    return ",".join(text(s) for s in lists) + arrow, operands


# --- the equation -------------------------------------------------------------------------------------------


def _canonical(equation: str, operands: Sequence[Tensor]) -> tuple[tuple[str, ...], str]:
    """The equation's terms and output with one letter a dimension, checked against the operands' shapes."""
    text = equation.replace(" ", "")
    left, arrow, right = text.partition("->")
    terms = [_split(term, "an operand") for term in left.split(",")]
    if len(terms) != len(operands):
        word = "fewer" if len(operands) < len(terms) else "more"
        raise RuntimeFault(
            f"einsum: {word} operands ({len(operands)}) than the equation has ({len(terms)})",
        )
    used = set(left)
    spare = [c for c in LETTERS if c not in used]
    width = 0
    for i, ((before, dots, after), t) in enumerate(zip(terms, operands, strict=True)):
        extra = t.ndim - len(before) - len(after)
        if extra < 0 or (extra and not dots):
            raise RuntimeFault(
                f"einsum: operand {i} has {t.ndim} dimensions and {len(before) + len(after)} subscripts",
                hint="an ellipsis (...) stands for the dimensions that are not named",
            )
        width = max(width, extra)
    if width > len(spare):
        raise RuntimeFault("einsum: too many dimensions: there are 52 letters")
    ellipsis = "".join(spare[:width])
    full = tuple(
        before + ellipsis[width - (t.ndim - len(before) - len(after)) :] + after
        for (before, _, after), t in zip(terms, operands, strict=True)
    )
    _check_sizes(full, operands)
    return full, _output(right, ellipsis, full) if arrow else _implicit(ellipsis, full)


def _split(term: str, what: str) -> tuple[str, bool, str]:
    before, dots, after = term.partition("...")
    for c in before + after:
        if c == ".":
            raise RuntimeFault(f"einsum: a '.' of {what} that is no part of an ellipsis (...)")
        if c not in LETTERS:
            raise RuntimeFault(f"einsum: {c!r} is no subscript; subscripts are letters")
    return before, bool(dots), after


def _check_sizes(terms: tuple[str, ...], operands: Sequence[Tensor]) -> None:
    sizes: dict[str, int] = {}
    for i, (term, t) in enumerate(zip(terms, operands, strict=True)):
        own: dict[str, int] = {}
        for letter, n in zip(term, t.shape, strict=True):
            if own.setdefault(letter, n) != n:
                raise RuntimeFault(f"einsum: subscript {letter} of operand {i} has the sizes {own[letter]} and {n}")
            seen = sizes.get(letter, 1)
            if n != 1 and seen not in (1, n):
                raise RuntimeFault(f"einsum: subscript {letter} has size {n} in operand {i} and {seen} before")
            sizes[letter] = max(seen, n) if n else 0


def _output(right: str, ellipsis: str, terms: tuple[str, ...]) -> str:
    before, dots, after = _split(right, "the output")
    for i, c in enumerate(before + after):
        if c in (before + after)[:i]:
            raise RuntimeFault(f"einsum: the output has subscript {c} twice")
        if not any(c in term for term in terms):
            raise RuntimeFault(f"einsum: the output's subscript {c} is in no operand")
    return before + (ellipsis if dots else "") + after


def _implicit(ellipsis: str, terms: tuple[str, ...]) -> str:
    """Without `->`: the ellipsis, then the subscripts that occur once, in order (capitals first)."""
    every = "".join(terms)
    return ellipsis + "".join(c for c in sorted(set(every) - set(ellipsis)) if every.count(c) == 1)
