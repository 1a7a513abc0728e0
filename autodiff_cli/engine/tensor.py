"""The tensor: a raw value, and its place in the graph.

`value` is raw (see dtypes.py): a Python number for a 0-d float64, int64 or bool, an ndarray otherwise. `node` is None
for a tensor that requires no gradient. `aux` holds what few tensors have (shared memory, a view's base).

The differentiable operators and methods are attached by `methods.py`, from the registry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from autodiff_cli.engine.dtypes import DType, dtype_of
from autodiff_cli.engine.nesting import refuse, required, wrapped
from autodiff_cli.engine.node import ACCUMULATE, Node, Version, make_leaf
from autodiff_cli.engine.registry import Op
from autodiff_cli.engine.tape import tape
from autodiff_cli.errors import RuntimeFault, TypeFault, ValueFault

PLAIN = (float, int, bool)  # the types of raw values that are Python's numbers


class Aux:
    """What few tensors have; see views.py."""

    __slots__ = ("base", "creation", "detached", "grad", "peers", "seen", "version")

    def __init__(self) -> None:
        self.version: Version | None = None
        self.base: Any = None
        self.creation: str | None = None  # of a view: whether it was made under no_grad, or with others
        self.seen = 0  # of a view: the count of the version from which its node was made
        self.peers: Any = None
        self.detached: Any = None  # the tree node that took it out of the graph (for views)
        self.grad: Any = None  # the .grad of a tensor that requires none


class Tensor:
    """See the module's docstring. It has no `__init__`, which would double the time of making one: `wrap` and `new_leaf`."""

    __slots__ = ("__weakref__", "aux", "node", "value")

    value: Any
    node: Node | None
    aux: Aux | None

    if TYPE_CHECKING:  # what methods.py attaches

        def __getattr__(self, name: str) -> Any: ...
        def __iter__(self) -> Iterator[Tensor]: ...
        def __getitem__(self, index: Any) -> Tensor: ...
        def __setitem__(self, index: Any, value: Any) -> None: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...

    @staticmethod
    def __apply__(op: Op, xs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        return _apply(op, xs, params)

    @property
    def extra(self) -> Aux:
        """`aux`, made on demand."""
        if self.aux is None:
            self.aux = Aux()
        return self.aux

    # --- what it is ------------------------------------------------------------------------------------------

    @property
    def dtype(self) -> DType:
        return dtype_of(self.value)

    @property
    def shape(self) -> tuple[int, ...]:
        return getattr(self.value, "shape", ())

    @property
    def ndim(self) -> int:
        return getattr(self.value, "ndim", 0)

    def dim(self) -> int:
        return self.ndim

    def numel(self) -> int:
        """The number of elements."""
        return getattr(self.value, "size", 1)

    def item(self) -> float | int | bool:
        """The one element as a Python number.

        Raises:
            RuntimeFault: there are more elements, or none.
        """
        value: Any = self.value
        if isinstance(value, PLAIN):
            return value
        if value.size != 1:
            raise RuntimeFault(
                f"item() of a tensor with {value.size} elements: only one element can become a number",
                hint="pick one with an index, or use tolist()",
            )
        found: float | int | bool = value.item()
        return found

    def tolist(self) -> Any:
        """Python numbers in nested lists; a plain number for a 0-d tensor."""
        value = self.value
        return value if type(value) in PLAIN else value.tolist()

    # --- its place in the graph ----------------------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        """Whether it is on a graph, or a view of what is: PyTorch says so of a view taken under `no_grad`, too."""
        if self.node is not None:
            return not tape.levels or required(self.node)
        base = None if self.aux is None else self.aux.base
        return base is not None and base.node is not None

    @requires_grad.setter
    def requires_grad(self, flag: bool) -> None:
        if type(flag) is not bool:
            raise RuntimeFault(f"requires_grad is True or False, not {flag!r}")
        self._let_require(flag and self.is_leaf)  # a result refuses the attribute even where it changes nothing

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Make a leaf require a gradient, or no longer.

        Raises:
            RuntimeFault: the dtype isn't floating, or the tensor isn't a leaf.
            TypeFault: the argument is no bool.
        """
        if type(requires_grad) is not bool:
            raise TypeFault(f"requires_grad_() takes True or False, not {requires_grad!r}")
        refuse("requires_grad_()", "give what is differentiated as an argument: torch.func.grad(f, argnums=...)")
        return self._let_require(requires_grad)

    def _let_require(self, requires_grad: bool) -> Tensor:
        if requires_grad:
            if self.requires_grad:
                return self
            if not self.dtype.is_floating_point:
                raise RuntimeFault(
                    f"only floating point tensors can require gradients; this one is {self.dtype}",
                    hint="write the numbers with a point (2.0, not 2), or convert with .double()",
                )
            self.node = make_leaf(self.value)
            bind_leaf(self)
        elif (node := current_node(self)) is not None:
            if node.op is not ACCUMULATE:
                raise RuntimeFault(
                    "requires_grad can be changed on leaf tensors only; this one is the result of an operation",
                    hint="write y = x.detach() for a tensor outside the graph",
                )
            assert node.meta is not None
            self.extra.grad = node.meta.grad
            self.node = None
        return self

    @property
    def is_leaf(self) -> bool:
        node = current_node(self)
        return node is None or node.op is ACCUMULATE or not self.requires_grad

    @property
    def grad(self) -> Tensor | None:
        """The accumulated gradient, or None. A warning for a result that doesn't retain its own."""
        node = current_node(self)
        if node is None:
            return None if self.aux is None else self.aux.grad
        kept: Tensor | None = None if node.meta is None else node.meta.grad
        retained = node.op is ACCUMULATE or (node.meta is not None and node.meta.retain)
        if kept is None and not retained and tape.warn is not None:
            tape.warn(
                "the .grad of a tensor that is not a leaf is read; backward() does not keep it. "
                "Call .retain_grad() on it before backward()"
            )
        return kept

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            if not isinstance(value, Tensor):
                raise TypeFault(f"a .grad is a tensor or None, not {type(value).__name__}")
            if value is self:
                raise RuntimeFault("a tensor can't be its own .grad", hint="assign a copy of it: x.detach().clone()")
            if value.shape != self.shape:
                raise RuntimeFault(f"the .grad of a tensor of shape {self.shape} can't have shape {value.shape}")
            if value.dtype is not self.dtype:
                raise RuntimeFault(f"the .grad of a {self.dtype} tensor can't be {value.dtype}")
        node = current_node(self)
        if tape.events is not None:
            before = self.extra.grad if node is None else node.extra.grad
            tape.events.assigned(self, node, before, value)
        if node is None:
            self.extra.grad = value
        else:
            node.extra.grad = value

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    def retain_grad(self) -> None:
        """Keep this result's gradient in `.grad`, as a leaf does.

        Raises:
            RuntimeFault: it requires no gradient.
        """
        refuse("retain_grad()", "return the tensor, and differentiate with respect to it")
        node = current_node(self)
        if node is None:
            raise RuntimeFault("retain_grad() of a tensor that requires no gradient")
        if node.op is not ACCUMULATE:
            node.extra.retain = True

    @property
    def retains_grad(self) -> bool:
        node = current_node(self)
        return node is not None and node.meta is not None and node.meta.retain

    # --- Python's protocols ----------------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        value = self.value
        if type(value) in (float, int, bool):
            return bool(value)
        if value.size != 1:
            count = "no elements" if value.size == 0 else f"{value.size} elements"
            raise RuntimeFault(
                f"a tensor with {count} is neither true nor false",
                hint="ask for one truth: .any(), .all(), or an element",
            )
        return bool(value.item())

    def __float__(self) -> float:
        return float(self._single("float"))

    def __int__(self) -> int:
        return int(self._single("int"))

    def _single(self, kind: str) -> float | int | bool:
        if self.numel() != 1:
            raise ValueFault(f"{kind}() of a tensor with {self.numel()} elements: only one element can become a number")
        return self.item()

    def __index__(self) -> int:
        value = self.item() if self.numel() == 1 else None
        if isinstance(value, int):
            return int(value)
        raise TypeFault("only an integer tensor of one element can be an index")

    def __len__(self) -> int:
        if not self.shape:
            raise TypeFault("len() of a 0-d tensor")
        return self.shape[0]

    def __hash__(self) -> int:
        return id(self)

    def __contains__(self, element: Any) -> bool:
        if isinstance(element, (Tensor, int, float)):
            equal: Any = self == element
            return bool(equal.any())
        raise TypeFault(f"'in' asks a tensor for a number or a tensor, not {type(element).__name__}")

    def __repr__(self) -> str:
        from autodiff_cli.engine.formatting import format_tensor

        grad_fn = self._grad_fn_name()

        def text(requires_grad: bool, name: str | None) -> str:
            return format_tensor(
                self.value,
                self.dtype.name,
                requires_grad=requires_grad,
                grad_fn=name,
                default_dtype=tape.default_dtype.name,
            )

        return wrapped(self, grad_fn, text) if tape.levels else text(self.requires_grad, grad_fn)

    def _grad_fn_name(self) -> str | None:
        try:
            node = current_node(self)
        except RuntimeFault:
            return "Invalid"  # a view that can't be used any more
        return None if node is None or node.op is ACCUMULATE else node.op.grad_fn.rsplit("::", 1)[-1]


def wrap(value: Any) -> Tensor:
    """A tensor over a raw value, outside the graph."""
    t = Tensor()
    t.value = value
    t.node = None
    t.aux = None
    return t


def new_leaf(value: Any, requires_grad: bool = True) -> Tensor:
    """A leaf over a raw value (shared, not copied).

    Raises:
        RuntimeFault: it is to require a gradient and its dtype isn't floating.
    """
    return wrap(value)._let_require(requires_grad)


def bind_leaf(t: Tensor) -> None:
    """Let a leaf's node know its tensor, weakly."""
    import weakref

    assert t.node is not None and t.node.meta is not None
    t.node.meta.owner = weakref.ref(t)
    if t.aux is not None:
        t.node.meta.version = t.aux.version
        t.node.meta.grad = t.aux.grad


def _apply(op: Op, xs: tuple[Any, ...], params: dict[str, Any]) -> Any:
    from autodiff_cli.engine.apply import apply

    global _apply
    _apply = apply
    return apply(op, xs, params)


def current_node(t: Tensor) -> Node | None:
    """The tensor's node; see views.current_node, which this stands for where there is no view."""
    if t.aux is None or t.aux.base is None:
        return t.node
    from autodiff_cli.engine.views import current_node as of_view

    return of_view(t)
