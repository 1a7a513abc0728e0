"""`autodiff explain --symbolic`: the derivative along the path that was taken, as a formula in the inputs.

The graph of a run has no branches and no loops: it is what was computed. So each value is a formula in the leaves, and
the backward pass on formulas, by the registry's own derivatives, is the derivative. Where a derivative has cases
(`relu`, `abs`, `maximum`), the case of this run is taken, and the formula holds as long as the path and the cases do.

Formulas grow with what they describe. One that has become long gets a name, and what follows is written with the name:
a loop of Newton's method is a list of definitions, one or two a turn.

Invariant: at the run's own inputs a formula's value is the gradient, up to rounding; definitions stand in an order in
which they can be evaluated.
"""

from __future__ import annotations

import ast
import re
from typing import Any, NamedTuple

from autodiff_cli.engine.graph import Graph, GraphNode
from autodiff_cli.engine.symbol import operand_names
from autodiff_cli.errors import UsageFault
from autodiff_cli.views.explain import formula_text, label, operands_of
from autodiff_cli.views.explain_algebra import Formula, NoFormula, atom, number, read

LONG = 240  # characters: if a formula is longer, ...
SHORT = 60  # ... all that are longer than this get names
LIMIT = 4_000  # characters of a formula

# what an operation computes, where that is no call of its name
FORWARD: dict[str, str] = {
    "add": "a + b",
    "add_number": "a + b",
    "add_scaled": "a + alpha * b",
    "sub": "a - b",
    "sub_scaled": "a - alpha * b",
    "rsub": "b - a",
    "rsub_number": "b - a",
    "mul": "a * b",
    "mul_number": "a * b",
    "div": "a / b",
    "div_number": "a / b",
    "neg": "-x",
    "reciprocal": "1 / x",
    "pow_scalar": "x**n",
    "pow_tensor": "x**n",
    "pow_base": "x**n",
    "where": "where(c, a, b)",
    "addcmul": "a + value * b * c",
    "addcdiv": "a + value * b / c",
    "lerp": "a + w * (b - a)",
    "lerp_number": "a + w * (b - a)",
}
# of a scalar these give the scalar itself
SAME = frozenset(
    ("alias", "cast", "clone", "detach", "mean", "sum", "reshape", "view", "squeeze", "expand", "positive")
)
SAME_LABELS = frozenset(("alias", "to_copy", "clone", "mean", "sum", "view", "squeeze", "expand", "select", "prod"))


_WORD = re.compile(r"[A-Za-z_]\w*")


class Derivative(NamedTuple):
    """The derivative by a leaf: its name, the formula's text, the gradient's raw value."""

    name: str
    formula: str
    gradient: Any


class Symbolic(NamedTuple):
    """`output`: its label; `formula`: of its value; `derivatives` in the order of the leaves.

    `definitions`: (name, formula's text) of what the formulas have names for, each after those that it needs. `at`: what
    the names of leaves and inputs stood for when the pass went.
    """

    output: str
    formula: str
    value: Any
    derivatives: tuple[Derivative, ...]
    definitions: tuple[tuple[str, str], ...] = ()
    at: tuple[tuple[str, Any], ...] = ()


def symbolic(graph: Graph, inputs: set[str]) -> Symbolic:
    """The formulas of a backward pass. `inputs`: names of constants that stay names in the formulas.

    Raises:
        UsageFault: the pass has arrays or an operation without a formula, or a formula is past the limit.
    """
    if graph.nodes is None:
        raise UsageFault(f"--symbolic: the graph has {graph.count:,} nodes, too many for a formula")
    for node in graph.nodes:
        if node.shape and node.requires_grad:
            raise UsageFault(
                f"--symbolic is for scalars; {label(node)} has shape {node.shape}",
                hint="without --symbolic each step has its formula",
            )
    root = graph.nodes[graph.roots[0]]
    for long in (LONG, SHORT):
        work = _Work(graph, inputs, long)
        work.forward()
        found = work.backward(root)
        if not work.definitions:
            break
    value = work.values[root.id].text
    definitions = work.needed([value, *(d.formula for d in found)])
    at = {n.name: n.value for n in graph.nodes if n.name and n.is_leaf and (n.requires_grad or n.name in inputs)}
    return Symbolic(label(root), value, root.value, found, definitions, tuple(at.items()))


class _Work:
    """Formulas of values and of gradients, by the nodes' numbers."""

    def __init__(self, graph: Graph, inputs: set[str], long: int) -> None:
        assert graph.nodes is not None
        self.nodes = graph.nodes
        self.operands = {t: [x.id for x in operands] for t, operands in operands_of(graph).items()}
        self.inputs = inputs
        self.long = long
        self.values: dict[int, Formula] = {}
        self.definitions: dict[str, str] = {}
        self._taken = {label(node) for node in graph.nodes if node.name} | inputs

    def forward(self) -> None:
        for node in self.nodes:
            self.values[node.id] = self._short(self._value(node), node.name or "t", f"the value of {label(node)}")

    def _short(self, formula: Formula, base: str, what: str) -> Formula:
        """The formula, or a name for it where it is long.

        Raises:
            UsageFault: it is too long all the same.
        """
        if len(_bounded(formula, what).text) <= self.long:
            return formula
        number = 1
        while f"{base}_{number}" in self._taken:
            number += 1
        name = f"{base}_{number}"
        self._taken.add(name)
        self.definitions[name] = formula.text
        return atom(name)

    def needed(self, texts: list[str]) -> tuple[tuple[str, str], ...]:
        """The definitions that formulas need, in order."""
        wanted: set[str] = set()
        for text in texts:
            wanted |= set(_WORD.findall(text))
        for name, text in reversed(self.definitions.items()):
            if name in wanted:
                wanted |= set(_WORD.findall(text))
        return tuple([(name, text) for name, text in self.definitions.items() if name in wanted])

    def _value(self, node: GraphNode) -> Formula:
        if not node.requires_grad:
            return atom(str(node.name)) if node.name in self.inputs else self._number(node)
        if node.is_leaf or node.id not in self.operands:  # an operation that the walk did not visit has none
            return atom(node.name or f"leaf{node.id}")
        op = node.record.op
        if op.name in SAME or op.label in SAME_LABELS:
            return self.values[self.operands[node.id][0]]
        text = FORWARD.get(op.name)
        if text is None:
            words = [self.values[i].text for i in self.operands[node.id]]
            words += [f"{k}={v!r}" for k, v in node.record.params.items() if isinstance(v, (int, float))]
            return atom(f"{op.name}({', '.join(words)})")
        return self._read(node, text)

    def _number(self, node: GraphNode) -> Formula:
        if node.shape:
            return atom(label(node))
        return number(float(node.value))

    def _read(self, node: GraphNode, text: str) -> Formula:
        """A formula of the registry with the operands' formulas in it."""
        names = {"y": self.values.get(node.id, atom("y"))}
        known = {"y": node.value}
        for name, value in node.record.params.items():
            if isinstance(value, (int, float)):
                names[name], known[name] = number(float(value)), value
        for name, i in zip(operand_names(node.record.op), self.operands[node.id], strict=False):
            names[name], known[name] = self.values[i], self.nodes[i].value
        for name in ("n", "g", "count"):  # entries of a scalar, and the cotangent: it is multiplied by later
            names.setdefault(name, number(1.0))
        try:
            return read(text, names, lambda test: _holds(test, known), strict=True)
        except (NoFormula, ZeroDivisionError, OverflowError):
            raise UsageFault(
                f"--symbolic: {node.record.op.label} has no formula that could be written out",
                hint="without --symbolic each step has its numbers",
            ) from None

    def backward(self, root: GraphNode) -> tuple[Derivative, ...]:
        """The gradients' formulas, latest node first, as the engine's walk."""
        gradients: dict[int, Formula] = {root.id: number(float(root.grad))}
        for node in reversed(self.nodes):
            g = gradients.get(node.id)
            if g is None or node.id not in self.operands:
                continue
            for i, source in enumerate(self.operands[node.id]):
                operand = self.nodes[source]
                if not operand.requires_grad or operand.grad is None:
                    continue
                local = self._local(node, i)
                if local is None:
                    continue
                product = g * local
                total = product if source not in gradients else gradients[source] + product
                told = f"the derivative by {label(operand)}"
                gradients[source] = self._short(total, f"d_{operand.name or 't'}", told)
        return tuple(
            Derivative(label(leaf), gradients.get(leaf.id, number(0.0)).text, leaf.grad)
            for leaf in self.nodes
            if leaf.is_leaf and leaf.requires_grad and leaf.grad is not None
        )

    def _local(self, node: GraphNode, i: int) -> Formula | None:
        op = node.record.op
        if op.name in SAME or op.label in SAME_LABELS:
            return number(1.0)
        text = formula_text(op, i, node.record.params)
        return None if text is None else self._read(node, text)


def _holds(test: ast.expr, known: dict[str, Any]) -> bool:
    """Whether a condition of a formula holds at this run's values. Raises NoFormula: that cannot be told."""
    try:
        code = compile(ast.fix_missing_locations(ast.Expression(test)), "<condition>", "eval")
        return bool(eval(code, {"__builtins__": {}}, known))
    except Exception:  # a condition on what is no number: the formula is not one of scalars
        raise NoFormula from None


def _bounded(formula: Formula, what: str) -> Formula:
    """The formula, if it is not too long.

    Raises:
        UsageFault: it is.
    """
    length = len(formula.text)
    if length > LIMIT:
        raise UsageFault(
            f"--symbolic: the formula of {what} has {length:,} characters; the limit is {LIMIT:,}",
            hint="a loop's turns are all written out: take fewer of them, or look at the steps without --symbolic",
        )
    return formula


def path_of(decisions: Any, source: Any) -> list[tuple[int, str, str]]:
    """The decisions of a run: (line, text, what was decided), in the order of the text."""
    from autodiff_cli.views.text import one_line

    found = []
    for met in sorted(decisions.met.values(), key=lambda d: d.site.span.start):
        line = source.position(met.site.span.start).line
        if met.kind in ("if", "conditional"):
            text = one_line(source.slice(met.site.test.span))
            words = ["true" if truth else "false" for truth in met.truths[:6]]
            told = (
                words[0] if len(set(met.truths)) == 1 else ", ".join(words) + (", ..." if len(met.truths) > 6 else "")
            )
        else:
            end = met.site.test.span if met.kind == "while" else met.site.iterable.span
            start = met.site.test.span if met.kind == "while" else met.site.target.span
            text = f"{met.kind} {one_line(source.text[start.start : end.end])}"
            told = ", ".join(f"{n:,}" for n in met.turns[:6]) + (" turn" if list(met.turns) == [1] else " turns")
        found.append((line, text, told))
    return found
