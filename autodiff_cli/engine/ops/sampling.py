"""Random tensors: rand, randn, randint, randperm, normal, bernoulli, multinomial, and the methods that fill
one.

All draw from `random.default_generator` unless a generator is given. Random numbers do not depend on their
parameters in a way that has a derivative: PyTorch gives such results a node whose gradient is zero, and so
does this.
"""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine import dtypes
from autodiff_cli.engine.apply import attach
from autodiff_cli.engine.arguments import int_arg, shape_arg, tensor_arg, type_name
from autodiff_cli.engine.dtypes import DType
from autodiff_cli.engine.inplace import refuse_leaf, replace
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.node import NO_PARAMS
from autodiff_cli.engine.ops.declare import NOT_IMPLEMENTED, no_rule, number_arg
from autodiff_cli.engine.ops.making import METHOD, TORCH, checked_shape, chosen, made, sizes_arg
from autodiff_cli.engine.ops.structure import MISSING
from autodiff_cli.engine.random import Generator, default_generator
from autodiff_cli.engine.registry import Op, primitive, public, settle
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, wrap
from autodiff_cli.errors import RuntimeFault, TypeFault, ValueFault


def source_of(generator: Any, function: str) -> Generator:
    """The argument `generator`: the default one from None.

    Raises:
        TypeFault: it is something else.
    """
    if generator is None:
        return default_generator
    if isinstance(generator, Generator):
        return generator
    raise TypeFault(f"{function}: the argument 'generator' must be a torch.Generator, not {type_name(generator)}")


@public("manual_seed", places=TORCH, about="begins the stream of random numbers of a seed")
def manual_seed(seed: Any) -> Generator:
    """The generator that all draw from by default.

    Raises:
        TypeFault, ValueFault: the seed is no whole number.
    """
    try:
        number = int(seed)
    except TypeError:
        raise TypeFault(f"manual_seed: the seed must be an int, not {type_name(seed)}") from None
    except (ValueError, OverflowError):
        raise ValueFault(f"manual_seed: {seed!r} is no whole number") from None
    return default_generator.manual_seed(number)


@public("initial_seed", places=TORCH, about="the seed of the stream of random numbers")
def initial_seed() -> int:
    return default_generator.initial_seed()


@public("Generator", places=TORCH, about="a stream of random numbers of its own")
def generator(device: Any = None) -> Generator:
    return Generator()


# --- uniform and normal -------------------------------------------------------------------------------------


def _drawn(name: str, about: str) -> None:
    """`rand` or `randn`, with the `_like` form."""

    def call(
        *sizes: Any,
        size: Any = MISSING,
        generator: Any = None,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
        layout: Any = None,
        pin_memory: bool = False,
    ) -> Tensor:
        kind = chosen(dtype, tape.default_dtype, name)
        draw = getattr(source_of(generator, name), name)
        return made(settle(draw(sizes_arg(sizes, size, name), kind.name)), device, requires_grad, name)

    def like(
        input: Tensor,
        *,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
        layout: Any = None,
        memory_format: Any = None,
    ) -> Tensor:
        t = tensor_arg(input, f"{name}_like")
        kind = chosen(dtype, t.dtype, f"{name}_like")
        drawn = getattr(default_generator, name)(tuple(t.shape), kind.name)
        return made(settle(drawn), device, requires_grad, f"{name}_like")

    public(name, places=TORCH, about=about)(call)
    public(f"{name}_like", places=TORCH, about=f"{about}, of another tensor's shape and dtype")(like)


_drawn("rand", "random numbers, uniform on [0, 1)")
_drawn("randn", "random numbers, standard normal")


# --- whole numbers ------------------------------------------------------------------------------------------


def _bounds(given: tuple[Any, ...], low: Any, high: Any, size: Any, function: str) -> tuple[int, int, Any]:
    """Low, high and size from `f(high, size)`, `f(low, high, size)` or keywords."""
    rest = list(given)
    if size is MISSING and rest and function == "randint":
        size = rest.pop()
    if high is MISSING and rest:
        high = rest.pop()
    if low is MISSING:
        low = rest.pop() if rest else 0
    if rest or high is MISSING or (size is MISSING and function == "randint"):
        raise TypeFault(
            f"{function}: low (0 if left out), high and a size are needed", hint="torch.randint(0, 10, (3,))"
        )
    return int_arg(low, function, "low"), int_arg(high, function, "high"), size


@public("randint", places=TORCH, about="random whole numbers from low to high - 1")
def randint(
    *args: Any,
    low: Any = MISSING,
    high: Any = MISSING,
    size: Any = MISSING,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """int64 by default; `randint(high, size)` or `randint(low, high, size)`.

    Raises:
        TypeFault: a bound or the size is missing, or the size is no tuple.
        RuntimeFault: there is no number between the bounds.
    """
    first, last, shape = _bounds(args, low, high, size, "randint")
    if not isinstance(shape, (list, tuple)):
        raise TypeFault(f"randint: the size is a tuple, not {type_name(shape)}", hint="torch.randint(0, 10, (3,))")
    kind = chosen(dtype, dtypes.int64, "randint")
    drawn = source_of(generator, "randint").randint(
        first, last, checked_shape(shape_arg((shape,), "randint"), "randint"), kind.name
    )
    return made(settle(drawn), device, requires_grad, "randint")


@public("randint_like", places=TORCH, about="random whole numbers, of another tensor's shape and dtype")
def randint_like(
    input: Tensor,
    *args: Any,
    low: Any = MISSING,
    high: Any = MISSING,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    t = tensor_arg(input, "randint_like")
    first, last, _ = _bounds(args, low, high, MISSING, "randint_like")
    kind = chosen(dtype, t.dtype, "randint_like")
    drawn = default_generator.randint(first, last, tuple(t.shape), kind.name)
    return made(settle(drawn), device, requires_grad, "randint_like")


@public("randperm", places=TORCH, about="the numbers 0 ... n - 1 in random order")
def randperm(
    n: int, *, generator: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    shape = checked_shape((int_arg(n, "randperm", "n"),), "randperm")
    kind = chosen(dtype, dtypes.int64, "randperm")
    drawn = source_of(generator, "randperm").randperm(shape[0], kind.name)
    return made(drawn, device, requires_grad, "randperm")


# --- results whose gradient is zero -------------------------------------------------------------------------


def _zero(g: Any, _y: Any, like_x: Any, *_xs: Any) -> Any:
    return g * 0.0


def _op(name: str, grad_fn: str, operands: int = 1) -> Op:
    return primitive(
        name,
        lambda *xs: xs[-1],
        [_zero] * operands,
        grad_fn=grad_fn,
        formulas=("0",) * operands,
        about="random numbers: they have no derivative with respect to their parameters",
    )


_normal_mean = _op("normal_mean", "NormalBackward1")
_normal_std = _op("normal_std", "NormalBackward2")
_normal_both = _op("normal_both", "NormalBackward3", 2)
_bernoulli_op = _op("bernoulli", "BernoulliBackward0")
_bernoulli_p = primitive(
    "bernoulli_p", lambda x: x, [no_rule("bernoulli with p")], grad_fn=NOT_IMPLEMENTED, about="1 with probability p"
)


@public("normal", places=TORCH, ops=(_normal_mean, _normal_std, _normal_both), about="normal random numbers")
def normal(
    mean: Any = 0.0,
    std: Any = 1.0,
    size: Any = MISSING,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Of a tensor's shape, or of that which two tensors broadcast to; of two numbers, of `size`.

    Raises:
        TypeFault: two numbers without a size; RuntimeFault: shapes that do not go together.
    """
    draw = source_of(generator, "normal").normal
    if type(mean) is not Tensor and type(std) is not Tensor:
        if size is MISSING:
            raise TypeFault("normal: with two numbers a size is needed", hint="torch.normal(0.0, 1.0, (3,))")
        kind = chosen(dtype, tape.default_dtype, "normal")
        shape = sizes_arg((size,), MISSING, "normal")
        centre, width = float(number_arg(mean, "normal", "mean")), float(number_arg(std, "normal", "std"))
        return made(settle(draw(centre, width, shape, kind.name)), device, requires_grad, "normal")
    many = tuple(x for x in (mean, std) if type(x) is Tensor)
    raw = [np.asarray(x.value if type(x) is Tensor else number_arg(x, "normal", "std")) for x in (mean, std)]
    try:
        value = settle(draw(raw[0], raw[1], None, many[0].dtype.name))
    except ValueError:
        raise RuntimeFault(f"normal: mean of shape {raw[0].shape} and std of shape {raw[1].shape} do not go") from None
    op = _normal_both if len(many) == 2 else _normal_mean if type(mean) is Tensor else _normal_std
    return attach(wrap(value), op, many, NO_PARAMS)


@public("bernoulli", ops=(_bernoulli_op,), about="1 with the probability given, else 0")
def bernoulli(input: Tensor, p: Any = None, *, generator: Any = None) -> Tensor:
    t = tensor_arg(input, "bernoulli")
    draw = source_of(generator, "bernoulli").bernoulli
    if p is None:
        value, op = draw(np.asarray(t.value), None, t.dtype.name), _bernoulli_op
    else:
        value, op = draw(float(number_arg(p, "bernoulli", "p")), tuple(t.shape), t.dtype.name), _bernoulli_p
    return attach(wrap(settle(value)), op, (t,), NO_PARAMS)


@public("multinomial", about="indices drawn with the weights given, from each row")
def multinomial(input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None) -> Tensor:
    """int64, `num_samples` for each row of weights, which need not sum to 1.

    Raises:
        RuntimeFault: weights that are not floating, negative, not finite or all 0, or too few of them.
    """
    t = tensor_arg(input, "multinomial")
    weights, count = np.asarray(t.value), int_arg(num_samples, "multinomial", "num_samples")
    if t.dtype.category < 2:
        raise RuntimeFault(f"multinomial: the weights are floating, not {t.dtype}", hint="convert with .double()")
    if weights.ndim not in (1, 2):
        raise RuntimeFault(f"multinomial: the weights have 1 or 2 dimensions, not {weights.ndim}")
    if count <= 0:
        raise RuntimeFault(f"multinomial: the number of samples must be positive, not {count}")
    n = weights.shape[-1]
    if not replacement and count > n:
        raise RuntimeFault(f"multinomial: {count} samples without replacement from {n} entries")
    if not np.isfinite(weights).all() or (weights < 0).any() or (weights.sum(-1) <= 0).any():
        raise RuntimeFault("multinomial: weights must be finite and not negative, with a positive sum")
    rows = weights.reshape(-1, n)
    checked_shape((len(rows), count), "multinomial")
    stream = source_of(generator, "multinomial")
    if replacement and count > 1:
        ends = rows.cumsum(1) / rows.sum(1, keepdims=True)
        drawn = stream.rand((len(rows), count))
        found = np.stack([np.searchsorted(e, d).clip(0, n - 1) for e, d in zip(ends, drawn, strict=True)])
    else:
        # the first to arrive of exponentials with these rates: drawing one after another without replacement
        speeds = rows / stream.exponential(1.0, rows.shape, t.dtype.name)
        found = np.argsort(-speeds, 1, kind="stable")[:, :count]
    return wrap(found.astype(np.int64).reshape((*weights.shape[:-1], count)))


# --- methods that fill --------------------------------------------------------------------------------------


def _filler(name: str, grad_fns: tuple[str, ...], about: str, draw: Any) -> None:
    """A method `name` whose result is `draw(generator, shape, *parameters)`.

    `grad_fns`: PyTorch's names of its node, by the number of parameters given; the last for more.
    """
    ops = [
        primitive(f"{name}{i or ''}", lambda x: x, [_zero], grad_fn=grad_fn, formulas=("0",), about=about)
        for i, grad_fn in enumerate(grad_fns)
    ]

    def call(input: Tensor, *args: Any, generator: Any = None, **keywords: Any) -> Tensor:
        refuse_leaf(input)
        drawn = np.asarray(draw(source_of(generator, name), input, *args, **keywords))
        op = ops[min(len(args) + len(keywords), len(ops) - 1)]
        return replace(input, attach(wrap(settle(drawn.astype(input.dtype.name))), op, (input,), NO_PARAMS))

    public(name, places=METHOD, ops=tuple(ops), about=about)(call)


def _needs_float(t: Tensor, name: str) -> DType:
    if t.dtype.category < 2:
        raise RuntimeFault(f"{name}: a floating tensor is expected, not {t.dtype}")
    return t.dtype


def _uniform(source: Generator, t: Tensor, from_: float = 0.0, to: float = 1.0, **named: Any) -> Any:
    low, high = float(named.pop("from", from_)), float(to)
    if named:
        raise TypeFault(f"uniform_: there is no argument '{next(iter(named))}'")
    if low > high:
        raise RuntimeFault(f"uniform_: from {low} to {high} is no range")
    return low + (high - low) * source.rand(tuple(t.shape), _needs_float(t, "uniform_").name)


def _normal(source: Generator, t: Tensor, mean: float = 0.0, std: float = 1.0) -> Any:
    return source.normal(float(mean), float(std), tuple(t.shape), _needs_float(t, "normal_").name)


def _exponential(source: Generator, t: Tensor, lambd: float = 1.0) -> Any:
    _needs_float(t, "exponential_")
    if lambd <= 0:
        raise RuntimeFault(f"exponential_: the rate must be positive, not {lambd}")
    return source.exponential(float(lambd), tuple(t.shape), t.dtype.name)


def _bernoulli(source: Generator, t: Tensor, p: Any = 0.5) -> Any:
    if type(p) is Tensor:
        return source.bernoulli(np.broadcast_to(np.asarray(p.value), t.shape))
    return source.bernoulli(float(p), tuple(t.shape))


def _random(source: Generator, t: Tensor, from_: Any = None, to: Any = None) -> Any:
    shape = tuple(t.shape)
    if from_ is None:  # as many whole numbers as the dtype holds exactly
        whole = 2 ** (53 if t.dtype is dtypes.float64 else 24) + 1 if t.dtype.category == 2 else _HELD[t.dtype.name]
        return source.randint(0, whole, shape, "int64", wide=t.dtype.itemsize == 8)
    if to is None:
        from_, to = 0, from_
    return source.randint(
        int(from_), min(int(to), 2**63 - 1), shape, "int64" if t.dtype.category == 2 else t.dtype.name
    )


_HELD = {"bool": 2, "uint8": 2**8, "int8": 2**7, "int16": 2**15, "int32": 2**31, "int64": 2**63}
_filler("uniform_", ("UniformBackward0",), "random numbers, uniform between two bounds", _uniform)
_filler("normal_", ("NormalBackward0",), "normal random numbers", _normal)
_filler("exponential_", ("ExponentialBackward0",), "exponential random numbers", _exponential)
_filler("bernoulli_", ("BernoulliBackward2",), "1 with the probability given, else 0", _bernoulli)
_filler("random_", ("RandomBackward2", "RandomBackward1", "RandomBackward0"), "random whole numbers", _random)
