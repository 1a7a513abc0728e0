"""Names bound to slots, and what the program asks of its surroundings: inputs, library names, the output.

The rules are Python's (function scope, a scope for every comprehension, closures, `global`, `nonlocal`), so
that an interpreter can keep variables in lists. What it needs to know:

* Every function-like node has a `Scope`: `scopes.of[node]` for the `Module`, each `FunctionDef`, `Lambda` and
  `Comprehension` (of all four kinds). A run of it has a frame: a list of `len(scope.locals)` slots, all unset
  at first.
* The module's frame is the list of globals. A name that lives there is `GLOBAL` from everywhere, top level
  included.
* Slots `0 .. scope.parameters - 1` are the parameters, in the order of `Params.params` (`*args`, `**kw` among
  them).
* `scope.cells`: the slots that an inner function captures. Such a slot holds a cell, made anew for every
  frame (also for a parameter), and every resolution of the name in its own scope says `CELL` with the same
  slot number.
* `scope.free`: the names captured from outside; when the function object is made, its closure is
  `[frame[i] if kind == CELL else closure[i] for kind, i in scope.captures]`, read in the scope that makes it
  (`scope.parent`): a cell of that frame, or an entry of that function's own closure.
* `scopes.resolution[name_node]` is the pair `(kind, index)` of every `Name` (read, bound or deleted):

      LOCAL    slot `index` of the running frame
      CELL     the cell in slot `index` of the running frame
      FREE     the cell `index` of the running closure
      GLOBAL   slot `index` of the globals; unset, the library's name of the same spelling if there is one
      BUILTIN  a name of the library, nothing in the program binds it (`index` is -1)

* What binds a name that is no `Name` node has its pairs in `scopes.bindings[node]`, a tuple of `(name, (kind,
  index))`: `FunctionDef` (one), `Handler` (one, or none without `as`), `Import` and `ImportFrom` (one a name;
  for `import *` the names that the program uses). `import a.b` without `as` binds `a`.
* The first clause's `iterable` of a comprehension, the defaults of parameters and decorators belong to the
  enclosing scope, and are resolved there; `:=` in a comprehension binds in the function (or module) around
  it.

Inputs (LANGUAGE.md section 1) are globals: `scopes.inputs` in the order of the text. One that is declared
(`x: input = 2.0`) also stands in `scopes.declared[statement]`; running that `AnnAssign` gives the input its
value (from the command line, else its default, evaluated then and there); an undeclared one is bound before
the program starts.

The output is decided at run time, as the last of `scopes.values` to be executed: every statement at top
level, in blocks too but not in functions, that computes a value, with the name the value goes by (None: it
has no name).

Invariant: after `analyse` every `Name` of the tree has a resolution, except annotations, which nobody
evaluates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from autodiff_cli.errors import SyntaxFault
from autodiff_cli.language import nodes
from autodiff_cli.language.binding import Binder, Frame, FunctionLike, owner_of
from autodiff_cli.language.binding_statements import walk
from autodiff_cli.language.depth import deep_recursion
from autodiff_cli.language.misfit import Misfit
from autodiff_cli.language.undefined import find_inputs
from autodiff_cli.source import Span

LOCAL, CELL, FREE, GLOBAL, BUILTIN = range(5)

Resolution = tuple[int, int]  # kind, index


class UnknownName(SyntaxFault):
    """A name is called, or used as a module, and neither the program nor the library has it."""

    code = "unknown-name"


class Scope:
    """The names of one function-like node; see the module's docstring."""

    __slots__ = ("captures", "cells", "free", "locals", "node", "parameters", "parent")

    def __init__(self, node: FunctionLike, parent: Scope | None) -> None:
        self.node = node
        self.parent = parent
        self.parameters = 0  # how many of the first slots are parameters
        self.locals: tuple[str, ...] = ()  # the names of the slots
        self.cells: tuple[int, ...] = ()  # which slots hold cells, ascending
        self.free: tuple[str, ...] = ()  # the names of the closure's cells
        self.captures: tuple[Resolution, ...] = ()  # where each of them is in the scope around: CELL or FREE


class Input:
    """A name whose value comes from outside.

    `span` is its declaration, or else its first use. `kind` is "input" (a leaf that requires a gradient) or
    "const" (not differentiated).
    """

    __slots__ = ("declaration", "default", "kind", "name", "slot", "span")

    def __init__(
        self,
        name: str,
        slot: int,
        span: Span,
        kind: str = "input",
        declaration: nodes.AnnAssign | None = None,
    ) -> None:
        self.name = name
        self.slot = slot  # of the globals
        self.span = span
        self.kind = kind
        self.declaration = declaration
        self.default = None if declaration is None else declaration.value


class Scopes:
    """What `analyse` found; see the module's docstring."""

    __slots__ = ("bindings", "builtins", "declared", "inputs", "module", "of", "resolution", "values")

    def __init__(self, module: Scope) -> None:
        self.module = module  # `module.locals` are the names of the globals
        self.of: dict[nodes.Node, Scope] = {module.node: module}
        self.resolution: dict[nodes.Node, Resolution] = {}
        self.bindings: dict[nodes.Node, tuple[tuple[str, Resolution], ...]] = {}
        self.inputs: tuple[Input, ...] = ()
        self.declared: dict[nodes.Node, Input] = {}
        self.values: dict[nodes.Node, str | None] = {}  # ordered as the text
        self.builtins: tuple[str, ...] = ()  # the library's names that the program reads


def analyse(
    module: nodes.Module,
    known: frozenset[str],
    given: frozenset[str] = frozenset(),
    stars: Callable[[], Mapping[str, frozenset[str]]] | None = None,
) -> Scopes:
    """Bind every name of `module`.

    `known` are the names that the runtime provides without an import. `given` are those that the command line
    has a value for: one that the program reads before it binds it, and never calls, is an input even where
    the library has that name. `stars` returns what `from M import *` brings, by the dotted name of the
    module; it is called only if it matters. Raises SyntaxFault for what is misplaced (`return` outside a
    function, ...) or refused, UnknownName for a function that is not there.
    """
    with deep_recursion():
        try:
            binder = walk(module, lambda name: (stars() if stars else {}).get(name, frozenset()))
            found = find_inputs(binder, known, given)
        except Misfit as misfit:
            from autodiff_cli.language.mistakes import fault

            kind = UnknownName if misfit.slip.startswith("unknown-") else SyntaxFault
            raise fault(misfit.slip, misfit.span, kind=kind, **misfit.parts) from None
        for use in found:
            binder.module.bound.setdefault(use.name)
        scopes = _Resolver(binder, known).scopes()
    slots = {name: slot for slot, name in enumerate(scopes.module.locals)}
    scopes.inputs = tuple([Input(use.name, slots[use.name], use.span, use.kind, use.declaration) for use in found])
    scopes.declared = {one.declaration: one for one in scopes.inputs if one.declaration is not None}
    return scopes


class _Resolver:
    """Slots for all names; then, when every capture is known, the table."""

    def __init__(self, binder: Binder, known: frozenset[str]) -> None:
        self.binder = binder
        self.known = known
        self.slots = {frame: {name: slot for slot, name in enumerate(frame.bound)} for frame in binder.frames}
        self.places: dict[Frame, dict[str, Resolution]] = {frame: {} for frame in binder.frames}
        self.cells: dict[Frame, set[int]] = {frame: set() for frame in binder.frames}
        self.captures: dict[Frame, dict[str, Resolution]] = {frame: {} for frame in binder.frames}

    def scopes(self) -> Scopes:
        for frame in self.binder.frames:
            for name in [*frame.bound, *[use.id for use in frame.uses]]:
                if name not in self.places[frame]:
                    self.places[frame][name] = self.place(frame, name)
        made: dict[Frame | None, Scope] = {}
        for frame in self.binder.frames:
            scope = made[frame] = Scope(frame.node, made.get(frame.parent))
            scope.parameters = frame.parameters
            scope.locals = tuple(frame.bound)
            scope.cells = tuple(sorted(self.cells[frame]))
            scope.free = tuple(self.captures[frame])
            scope.captures = tuple(self.captures[frame].values())
        scopes = Scopes(made[self.binder.module])
        scopes.of = {frame.node: made[frame] for frame in self.binder.frames}
        for frame in self.binder.frames:
            self.tabulate(frame, scopes)
        read = {use.id: None for frame in self.binder.frames for use in frame.uses}
        scopes.builtins = tuple([name for name in read if name in self.known])
        scopes.values = self.binder.values
        return scopes

    def place(self, frame: Frame, name: str) -> Resolution:
        """Where `frame` finds `name`; cells of its own are still LOCAL."""
        if frame.parent is not None and name not in frame.global_names:
            if name in frame.bound:
                return LOCAL, self.slots[frame][name]
            owner = owner_of(frame, name)
            if owner is not None:
                return FREE, self.capture(frame, owner, name)
        slot = self.slots[self.binder.module].get(name)
        return (BUILTIN, -1) if slot is None else (GLOBAL, slot)

    def capture(self, frame: Frame, owner: Frame, name: str) -> int:
        """Hand the cell of `name` down from `owner` to `frame`; its index in the closure of `frame`."""
        between: list[Frame] = []
        step: Frame | None = frame
        while step is not None and step is not owner:
            between.append(step)
            step = step.parent
        slot = self.slots[owner][name]
        self.cells[owner].add(slot)
        source = CELL, slot
        for inner in reversed(between):
            self.captures[inner].setdefault(name, source)
            source = FREE, list(self.captures[inner]).index(name)
        return source[1]

    def tabulate(self, frame: Frame, scopes: Scopes) -> None:
        cells = self.cells[frame]
        places = {
            name: (CELL, index) if kind == LOCAL and index in cells else (kind, index)
            for name, (kind, index) in self.places[frame].items()
        }
        for use in frame.uses:
            scopes.resolution[use] = places[use.id]
        for node, names in frame.binders:
            scopes.bindings[node] = tuple([(name, places[name]) for name in names])
