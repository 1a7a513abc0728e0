"""torch.autograd.functional: jacobian, hessian, vjp, jvp, vhp, hvp.

The older interface: a function and its inputs, one tensor or a tuple, and results nested accordingly. The
inputs are replaced by fresh leaves (with `create_graph`, by views of themselves), so nothing is added to a
`.grad`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autodiff_cli.engine.arguments import type_name
from autodiff_cli.engine.jacobians import basis, check_jacobian, jacfwd, stacked
from autodiff_cli.engine.levels import differentiate, zeros_like
from autodiff_cli.engine.ops.cutting import alias_op
from autodiff_cli.engine.ops.structure import as_view
from autodiff_cli.engine.registry import public
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, current_node, new_leaf, wrap
from autodiff_cli.errors import NotImplementedFault, RuntimeFault, TypeFault, ValueFault

Function = Callable[..., Any]
PLACE = ("autograd.functional",)
STRATEGIES = ("reverse-mode", "forward-mode")


# --- arguments ----------------------------------------------------------------------------------------------


def _many(x: Any, what: str, function: str) -> tuple[list[Tensor], bool]:
    """The tensors, and whether they came in a tuple.

    Raises:
        TypeFault: neither a tensor nor a tuple of tensors.
    """
    many = x if isinstance(x, tuple) else (x,)
    for t in many:
        if not isinstance(t, Tensor):
            raise TypeFault(f"{function}: {what} must be a tensor or a tuple of tensors, not {type_name(t)}")
    return list(many), isinstance(x, tuple)


def _enter(inputs: Sequence[Tensor], create_graph: bool) -> list[Tensor]:
    """What the function gets in place of its inputs."""
    if create_graph:
        return [as_view(alias_op, t, {}) if current_node(t) else new_leaf(t.value) for t in inputs]
    return [new_leaf(t.value) for t in inputs]


def _vectors(v: Any, like: Sequence[Tensor], create_graph: bool, function: str) -> list[Tensor]:
    """The vectors `v`, one for each tensor of `like` and of its shape."""
    vectors, _ = _many(v, "v", function)
    if len(vectors) != len(like):
        raise RuntimeFault(f"{function}: v has {len(vectors)} tensors and needs {len(like)}")
    for given, t in zip(vectors, like, strict=True):
        if tuple(given.shape) != tuple(t.shape):
            raise RuntimeFault(f"{function}: v has shape {tuple(given.shape)} and must have {tuple(t.shape)}")
    return vectors if create_graph else [wrap(t.value) for t in vectors]


def _no_vector(tensors: Sequence[Tensor], what: str, function: str) -> None:
    if len(tensors) != 1 or tensors[0].numel() != 1:
        raise RuntimeFault(f"{function}: v can be left out only where {what} a single tensor with a single element")


def _result(tensors: Sequence[Tensor], many: bool, create_graph: bool) -> Any:
    found = tuple(tensors) if create_graph else tuple(t if t.node is None else wrap(t.value) for t in tensors)
    return found if many else found[0]


# --- gradients ----------------------------------------------------------------------------------------------


def _grad(
    outputs: Sequence[Tensor | None],
    inputs: Sequence[Tensor],
    weights: Sequence[Tensor | None],
    create_graph: bool,
) -> list[Tensor | None]:
    """The gradients of what requires one; None for an input that has no part in it."""
    pairs = [(y, v) for y, v in zip(outputs, weights, strict=True) if y is not None and current_node(y)]
    if not pairs:
        return [None] * len(inputs)
    ys, vs = zip(*pairs, strict=True)
    return list(differentiate(ys, inputs, vs, retain_graph=True, create_graph=create_graph, allow_unused=True))


def _filled(
    gradients: Sequence[Tensor | None],
    like: Sequence[Tensor],
    strict: bool,
    create_graph: bool,
    function: str,
    what: str = "the output",
) -> list[Tensor]:
    """Zeros for the gradients that are None.

    Raises:
        RuntimeFault: with `strict`, where there is one, or where a result that is to be differentiated can't
            be.
    """
    found = []
    for i, (g, t) in enumerate(zip(gradients, like, strict=True)):
        if strict and g is None:
            raise RuntimeFault(f"{function}: {what} does not depend on input {i}, which strict=True forbids")
        if strict and create_graph and g is not None and not g.requires_grad:
            raise RuntimeFault(
                f"{function}: the derivative of {what} does not depend on input {i}, "
                "which strict=True with create_graph=True forbids"
            )
        found.append(zeros_like(t) if g is None else g)
    return found


def _strict_outputs(outputs: Sequence[Tensor], strict: bool, function: str) -> None:
    for i, y in enumerate(outputs):
        if strict and not y.requires_grad:
            raise RuntimeFault(
                f"{function}: output {i} requires no gradient, which strict=True forbids",
                hint="compute it from the inputs with operations that can be differentiated",
            )


def _single(output: Any, function: str) -> Tensor:
    """The one output with one element of a function whose second derivatives are asked for."""
    outputs, many = _many(output, "the function's output", function)
    if many:
        raise RuntimeFault(f"{function}: the function must return a single tensor, not a tuple")
    if outputs[0].numel() != 1:
        raise RuntimeFault(
            f"{function}: the function must return a tensor with a single element; its output has shape "
            f"{tuple(outputs[0].shape)}",
            hint="reduce it, as with .sum()",
        )
    return outputs[0]


@public("vjp", places=PLACE)
def vjp(func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """(outputs, the vector-Jacobian products of `v` for each input).

    Raises:
        TypeFault: inputs, outputs or v that are no tensors or tuples of them.
        RuntimeFault: v of another shape than the outputs, or left out where there is no single element; with
            `strict`, an input without a part in the outputs.
    """
    given, many = _many(inputs, "the inputs", "vjp")
    with tape.grad_mode(True):
        entered = _enter(given, create_graph)
        outputs, many_out = _many(func(*entered), "the function's outputs", "vjp")
        _strict_outputs(outputs, strict, "vjp")
        if v is None:
            _no_vector(outputs, "the function returns", "vjp")
            weights: list[Any] = [None]
        else:
            weights = list(_vectors(v, outputs, create_graph, "vjp"))
        gradients = _grad(outputs, entered, weights, create_graph)
        found = _filled(gradients, entered, strict, create_graph, "vjp")
    return _result(outputs, many_out, create_graph), _result(found, many, create_graph)


@public("jvp", places=PLACE)
def jvp(func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """(outputs, the Jacobian-vector products with `v` for each output), by differentiating the backward pass.

    Raises: as vjp; v has the shape of the inputs.
    """
    given, _ = _many(inputs, "the inputs", "jvp")
    with tape.grad_mode(True):
        entered = _enter(given, create_graph)
        if v is None:
            _no_vector(entered, "the input is", "jvp")
            v = _ones(entered[0])
        vectors = _vectors(v, entered, create_graph, "jvp")
        outputs, many_out = _many(func(*entered), "the function's outputs", "jvp")
        _strict_outputs(outputs, strict, "jvp")
        dummies = [new_leaf(zeros_like(y).value) for y in outputs]
        pulled = _grad(outputs, entered, dummies, True)
        _filled(pulled, entered, strict, False, "jvp")
        pushed = _grad(pulled, dummies, vectors, create_graph)
        found = _filled(pushed, outputs, strict and create_graph, create_graph, "jvp")
    return _result(outputs, many_out, create_graph), _result(found, many_out, create_graph)


def _ones(t: Tensor) -> Tensor:
    return wrap(zeros_like(t).value + 1.0)


@public("vhp", places=PLACE)
def vhp(func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """(output, the products of `v` with the Hessian of a function with one element of output).

    Raises: as jvp; RuntimeFault for another output.
    """
    return _second(func, inputs, v, create_graph, strict, "vhp")


@public("hvp", places=PLACE)
def hvp(func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """(output, the products of the Hessian with `v`), by one differentiation more than vhp.

    Raises: as vhp.
    """
    return _second(func, inputs, v, create_graph, strict, "hvp")


def _second(func: Function, inputs: Any, v: Any, create_graph: bool, strict: bool, function: str) -> Any:
    given, many = _many(inputs, "the inputs", function)
    with tape.grad_mode(True):
        entered = _enter(given, create_graph)
        if v is None:
            _no_vector(entered, "the input is", function)
            v = _ones(entered[0])
        vectors = _vectors(v, entered, create_graph, function)
        output = _single(func(*entered), function)
        _strict_outputs([output], strict, function)
        jacobian_rows = _grad([output], entered, [None], True)
        _filled(jacobian_rows, entered, strict, strict, function)
        if function == "vhp":
            second = _grad(jacobian_rows, entered, vectors, create_graph)
        else:
            dummies = [new_leaf(zeros_like(t).value) for t in entered]
            pulled = _grad(jacobian_rows, entered, dummies, True)
            second = _grad(pulled, dummies, vectors, create_graph)
        found = _filled(second, entered, strict, create_graph, function)
    return _result([output], False, create_graph), _result(found, many, create_graph)


# --- matrices -----------------------------------------------------------------------------------------------


def _check_strategy(strategy: str, vectorize: bool, create_graph: bool, strict: bool, function: str) -> None:
    if strategy not in STRATEGIES:
        raise ValueFault(f"{function}: the strategy is 'reverse-mode' or 'forward-mode', not {strategy!r}")
    if strategy == "forward-mode" and not vectorize:
        raise NotImplementedFault(f"{function}: forward-mode needs vectorize=True")
    if strategy == "forward-mode" and create_graph:
        raise NotImplementedFault(f"{function}: forward-mode does not go with create_graph=True")
    if vectorize and strict:
        raise RuntimeFault(f"{function}: strict=True does not go with vectorize=True")


@public("jacobian", places=PLACE)
def jacobian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian, of shape output + input: a tensor, or tuples by output and in them by input.

    Raises:
        TypeFault: inputs or outputs that are no tensors or tuples of them.
        RuntimeFault: with `strict`, an output that does not depend on an input; integer inputs.
        NotImplementedFault, ValueFault: options that do not go together.
    """
    function = "jacobian"
    given, many = _many(inputs, "the inputs", function)
    _check_strategy(strategy, vectorize, create_graph, strict, function)
    if strategy == "forward-mode":
        return _by_columns(func, given, many)
    with tape.grad_mode(True):
        entered = _enter(given, create_graph)
        outputs, many_out = _many(func(*entered), "the function's outputs", function)
        _strict_outputs(outputs, strict, function)
        check_jacobian(outputs, entered, function)
        if not vectorize and any(not y.numel() for y in outputs):
            raise RuntimeFault(f"{function}: an output without elements has no rows to make a Jacobian of")
        blocks = []
        for i, y in enumerate(outputs):
            rows = []
            for unit in basis(y) if current_node(y) else ():
                gradients = _grad([y], entered, [unit], create_graph)
                rows.append(_filled(gradients, entered, strict, create_graph, function, f"output {i}"))
            block = [_block([row[k] for row in rows], y, x) for k, x in enumerate(entered)]
            blocks.append(_result(block, many, create_graph))
    return tuple(blocks) if many_out else blocks[0]


def _by_columns(func: Function, given: Sequence[Tensor], many: bool) -> Any:
    """The Jacobian from Jacobian-vector products: the same numbers but for the signs of zeros."""
    columns = jacfwd(func, tuple(range(len(given))))
    found = columns(*(wrap(t.value) for t in given))
    single = isinstance(found[0], Tensor)
    if not many:
        return found[0] if single else tuple(block[0] for block in found)
    return list(found) if single else [list(block) for block in found]  # lists, as PyTorch gives here


def _block(rows: Sequence[Tensor], y: Tensor, x: Tensor) -> Tensor:
    shape = (*y.shape, *x.shape)
    return stacked(rows, shape, x) if rows or 0 in shape else zeros_of(shape, x)


def zeros_of(shape: tuple[int, ...], like: Tensor) -> Tensor:
    """Zeros in a tensor's dtype."""
    return stacked([], shape, like) if shape else wrap(zeros_like(like).value)


@public("hessian", places=PLACE)
def hessian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The second derivatives of a function with one element of output.

    A tensor, or a tuple of tuples by inputs.

    Raises: as jacobian; RuntimeFault for another output.
    """
    _, many = _many(inputs, "the inputs", "hessian")
    _check_strategy(outer_jacobian_strategy, vectorize, create_graph, strict, "hessian")

    def gradient(*xs: Tensor) -> Any:
        def single(*ys: Tensor) -> Tensor:
            output = _single(func(*ys), "hessian")
            _strict_outputs([output], strict, "hessian")
            return output.reshape(()) if output.ndim else output

        return jacobian(single, xs if many else xs[0], create_graph=True)

    return jacobian(gradient, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)
