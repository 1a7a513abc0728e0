"""torch.autograd.gradcheck and gradgradcheck: derivatives against central differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autodiff_cli.engine.apply import is_floating
from autodiff_cli.engine.jacobians import basis
from autodiff_cli.engine.lazy import np
from autodiff_cli.engine.levels import differentiate
from autodiff_cli.engine.registry import public, settle
from autodiff_cli.engine.tape import tape
from autodiff_cli.engine.tensor import Tensor, new_leaf, wrap
from autodiff_cli.errors import RuntimeFault, TypeFault, ValueFault

Function = Callable[..., Any]


class GradcheckFault(RuntimeFault):
    """A derivative that does not agree with differences: torch.autograd.gradcheck.GradcheckError."""

    python_name = "GradcheckError"
    code = "gradcheck"


def _differentiable(args: Sequence[Any], function: str) -> list[int]:
    """The positions of the arguments that require a gradient.

    Raises:
        ValueFault: there are none.
    """
    found = [i for i, t in enumerate(args) if isinstance(t, Tensor) and t.requires_grad]
    if not found:
        raise ValueFault(
            f"{function}: at least one input must require a gradient",
            hint="make it with requires_grad=True (and dtype float64: differences need the digits)",
        )
    if tape.warn is not None and any(args[i].dtype.name != "float64" for i in found):
        tape.warn(f"{function}: an input is not float64, and differences of float32 numbers have few right digits")
    return found


def _outputs(result: Any, function: str) -> list[Tensor]:
    many = result if isinstance(result, (tuple, list)) else (result,)
    for t in many:
        if not isinstance(t, Tensor):
            raise TypeFault(f"{function}: the function must return tensors, not {type(t).__name__}")
    return [t for t in many if is_floating(t.value)]


def _values(func: Function, args: Sequence[Any], at: int, value: Any, function: str) -> list[Any]:
    """The outputs' raw values with argument `at` at another value."""
    moved = [wrap(t.value) if isinstance(t, Tensor) else t for t in args]
    moved[at] = wrap(settle(value))
    with tape.grad_mode(True):  # as the function is differentiated: it may look at the mode
        return [np.asarray(t.value) for t in _outputs(func(*moved), function)]


def _numerical(func: Function, args: Sequence[Any], at: int, eps: float, function: str) -> list[Any]:
    """For each output the matrix (input element, output element) of central differences."""
    x = np.asarray(args[at].value)
    rows: list[list[Any]] = []
    for i in range(x.size):
        sides = []
        for step in (eps, -eps):
            value = np.array(x, order="C")  # a copy whose reshape is a view, whatever the layout of x
            value.reshape(-1)[i] += step
            sides.append(_values(func, args, at, value, function))
        rows.append([(a - b).reshape(-1) / (2.0 * eps) for a, b in zip(*sides, strict=True)])
    return [np.stack(column) for column in zip(*rows, strict=True)]


def _analytical(outputs: Sequence[Tensor], inputs: Sequence[Tensor]) -> list[list[Any]]:
    """For each output and input the matrix (input element, output element) by reverse mode."""
    blocks = []
    for y in outputs:
        sizes = [t.numel() for t in inputs]
        block = [np.zeros((n, y.numel())) for n in sizes]
        for j, unit in enumerate(basis(y) if y.requires_grad else ()):
            gradients = differentiate(y, inputs, unit, retain_graph=True, allow_unused=True)
            for k, g in enumerate(gradients):
                if g is not None:
                    block[k][:, j] = np.asarray(g.value).reshape(-1)
        blocks.append(block)
    return blocks


def _compare(
    func: Function, args: Sequence[Any], eps: float, atol: float, rtol: float, function: str
) -> GradcheckFault | None:
    """The first disagreement, or None."""
    at = _differentiable(args, function)
    inputs = [args[i] for i in at]
    with tape.grad_mode(True):
        outputs = _outputs(func(*args), function)
    blocks = _analytical(outputs, inputs)
    for k, i in enumerate(at):
        if not inputs[k].numel():
            continue
        for o, numerical in enumerate(_numerical(func, args, i, eps, function)):
            analytical = blocks[o][k]
            if not np.allclose(analytical, numerical, rtol=rtol, atol=atol, equal_nan=True):
                return GradcheckFault(
                    f"{function}: output {o} and input {k} disagree.\n"
                    f"by differences:\n{wrap(numerical)!r}\nby the rules:\n{wrap(analytical)!r}",
                    hint="a wrong derivative, a detach() on the way, a kink at this point, or too few digits "
                    "(float32, a step eps that does not fit)",
                )
    return None


def _arguments(inputs: Any) -> list[Any]:
    return list(inputs) if isinstance(inputs, (tuple, list)) else [inputs]


def _verdict(fault: GradcheckFault | None, raise_exception: bool) -> bool:
    if fault is not None and raise_exception:
        raise fault
    return fault is None


@public("gradcheck", places=("autograd",))
def gradcheck(
    func: Function,
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_ad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Whether the gradients of a function agree with central differences.

    They must everywhere: |a - n| <= atol + rtol * |n|.

    `eps`: the step of the differences, in the units of the inputs.

    Raises:
        GradcheckFault: they do not (with `raise_exception`).
        ValueFault: no input requires a gradient.
    """
    return _verdict(_compare(func, _arguments(inputs), eps, atol, rtol, "gradcheck"), raise_exception)


@public("gradgradcheck", places=("autograd",))
def gradgradcheck(
    func: Function,
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Whether the gradients of the gradients agree with differences of the gradients.

    `grad_outputs` (random ones by default) are differentiated in, too.

    Raises: as gradcheck.
    """
    gradients, everything = _gradients_of(func, _arguments(inputs), grad_outputs)
    return _verdict(_compare(gradients, everything, eps, atol, rtol, "gradgradcheck"), raise_exception)


def _gradients_of(func: Function, args: list[Any], grad_outputs: Any) -> tuple[Function, list[Any]]:
    """The gradients as a function of the inputs and of the outputs' cotangents, and those arguments."""
    function = "gradgradcheck"
    at = _differentiable(args, function)
    with tape.grad_mode(True):
        outputs = [y for y in _outputs(func(*args), function) if y.requires_grad]
    if grad_outputs is None:
        draw = np.random.RandomState(0)
        weights = [new_leaf(settle(draw.standard_normal(y.shape).astype(y.dtype.name))) for y in outputs]
    else:
        weights = [new_leaf(t.value) for t in _arguments(grad_outputs)]
    count = len(args)

    def gradients(*everything: Any) -> tuple[Tensor, ...]:
        xs = list(everything[:count])
        for i in at:
            if not xs[i].requires_grad:
                xs[i] = new_leaf(xs[i].value)
        ys = [y for y in _outputs(func(*xs), function) if y.requires_grad]
        found = differentiate(
            ys, [xs[i] for i in at], everything[count:], create_graph=True, allow_unused=True, materialize_grads=True
        )
        return tuple(g for g in found if g is not None)

    return gradients, [*args, *weights]
