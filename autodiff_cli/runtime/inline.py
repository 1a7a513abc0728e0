"""Python text for operators on scalars: what the closure of one operator (fused.py), or a whole loop (hot.py), is written with.

What a scalar program spends its time in is `a op b` of two floats, at least one of them a 0-d tensor: the value is computed
and the node filled in place. `Writer` writes that out, operand by operand. Whatever is not two floats, or two plain
numbers, goes to a closure that is given the operands (`general`), and evaluates nothing again.

An operand in the text is an `Atom`. A `pair` is the result of an operator: where the fast way was taken its value and its
node are in two variables, without a tensor around them, for the next operator reads only these; otherwise its first
variable holds the result.

Invariant: text and closures compute the same, and leave the same graph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.engine.ops import arithmetic, powers
from autodiff_cli.engine.registry import Op
from autodiff_cli.runtime import templates
from autodiff_cli.runtime.objects import Run

Operand = tuple[str, Any, Run]  # kind, what to fetch it by, its closure

# For each operator: the op of two tensors, with a number on the right, with a number on the left.
# None: more than one operation, or operands in another order; the general way knows.
FAST: dict[str, tuple[Op, Op, Op | None]] = {
    "+": (arithmetic.add, arithmetic.add, None),
    "-": (arithmetic.sub, arithmetic.sub, None),
    "*": (arithmetic.mul, arithmetic.mul, None),
    "/": (arithmetic.div, arithmetic.div, None),
    "**": (powers.pow_tensor, powers.pow_scalar, powers.pow_base),
}
WHOLE = frozenset(("%", "//"))
ORDER = frozenset(("<", "<=", ">", ">=", "==", "!="))
COMMUTES = frozenset(("+", "*"))  # `2 * x` is `x * 2` to PyTorch, which asks the tensor: the node has the tensor first


class Atom:
    """An operand in the text. `kind`: "any" (a value of the language in the variable `name`), "pair", "int" or "float"
    (a literal).

    `value`, `node`: the variables with its raw value and its node, once it is unpacked. `missing`: of a variable of the
    program, the closure that refuses it where it has no value.
    """

    __slots__ = ("kind", "missing", "name", "node", "value")

    def __init__(self, kind: str, name: str, value: str, node: str = "None", missing: str | None = None) -> None:
        self.kind = kind
        self.name = name
        self.value = value
        self.node = node
        self.missing = missing

    @property
    def is_number(self) -> bool:
        """Whether it is a literal."""
        return self.kind in ("int", "float")

    @property
    def is_tensor(self) -> str:
        """The text that asks whether it is a tensor."""
        if self.is_number:
            return "False"
        asked = f"type({self.name}) is Tensor"
        return f"({self.name} is None or {asked})" if self.kind == "pair" else asked

    @property
    def whole(self) -> str:
        """The text of it as a value of the language: a tensor made, a variable without a value refused."""
        if self.kind == "pair":
            return f"({self.name} if {self.name} is not None else whole({self.value}, {self.node}))"
        return (
            self.name if self.missing is None else f"({self.name} if {self.name} is not UNSET else {self.missing}(f))"
        )

    @property
    def off_graph(self) -> str:
        """The text of it as an operand of a node, where it has no node itself."""
        return self.value if self.is_number else f"({self.name} if type({self.name}) is Tensor else {self.value})"


class Writer:
    """Lines of Python, and the constants they name. The lines are the body of a function of the frame, `f`."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.constants: list[Any] = []
        self.depth = 2
        self._variables = 0

    def make(self, title: str, parameters: str = "f") -> Callable[..., Any]:
        """The function of the lines."""
        return self.maker(title, parameters)(*self.constants)

    def maker(self, title: str, parameters: str = "f") -> Callable[..., Any]:
        """What makes the function of the lines, given constants."""
        names = ", ".join(f"k{i}" for i in range(len(self.constants)))
        text = "\n".join([f"def make({names}):", f"    def run({parameters}):", *self.lines, "    return run"])
        space = dict(templates.SPACE)
        exec(compile(text, title, "exec"), space)
        make: Callable[..., Any] = space["make"]
        return make

    def write(self, text: str, **names: str) -> None:
        """Lines, with names filled in; what has several lines itself stands alone in one, and is indented as that is."""
        for line in text.strip("\n").splitlines():
            bare = line.lstrip()
            indent = "    " * self.depth + line[: len(line) - len(bare)]
            self.lines += [indent + one for one in bare.format(**names).strip("\n").splitlines()]

    def constant(self, value: Any) -> str:
        """The name of something known before the run."""
        self.constants.append(value)
        return f"k{len(self.constants) - 1}"

    def variable(self) -> str:
        self._variables += 1
        return f"t{self._variables}"

    def any(self, missing: str | None = None) -> Atom:
        """A new variable for a value of the language."""
        name = self.variable()
        return Atom("any", name, "x" + name, "n" + name, missing)

    def fetch(self, operand: Operand) -> Atom:
        """Read an operand, as `expressions.operand` describes it."""
        kind = operand[0]
        names = [self.constant(value) for value in fetched_by(operand)]
        if kind in ("int", "float"):
            return Atom(kind, names[0], names[1])
        atom = self.any(None if kind == "expr" else names[-1])
        self.write(templates.FETCH[kind], t=atom.name, k=names[0], i=names[1] if kind == "global" else "")
        return atom

    def unpack(self, atom: Atom) -> None:
        """Raw value and node of an operand into variables of their own."""
        if not atom.is_number:
            self.write(templates.UNPACK[atom.kind], t=atom.name, x=atom.value, n=atom.node)

    def settle(self, atom: Atom) -> str:
        """An operand as a value of the language, in one variable (or constant)."""
        if atom.kind == "pair":
            self.write(templates.TENSOR, t=atom.name, x=atom.value, n=atom.node)
        elif atom.missing is not None:
            self.write(templates.REFUSE, t=atom.name, missing=atom.missing)
        return atom.name

    # --- operators ----------------------------------------------------------------------------------------------

    def binary(self, symbol: str, a: Atom, b: Atom, constants: tuple[Any, ...]) -> Atom:
        """`a symbol b` for an operator of `FAST`, with its `operator_constants`: a pair."""
        general, site, *ops = [self.constant(value) for value in constants]
        r = self.pair()
        variables = [z for z in (a, b) if not z.is_number]
        if not variables or (a.is_number and symbol in ("-", "/")):
            self.write("{t} = {general}({a}, {b})", t=r.name, general=general, a=a.whole, b=b.whole)
            r.kind = "any"
            return r
        self.unpack(a)
        self.unpack(b)
        names = {"t": r.name, "v": r.value, "n": r.node, "general": general, "site": site, "a": a.whole, "b": b.whole}
        names |= {"x": a.value, "y": b.value, "symbol": symbol, "commutes": str(symbol in COMMUTES), "op": ops[0]}
        names["recorded"] = " or ".join(f"{z.node} is not None" for z in variables)
        names["floats"] = " and ".join(f"type({z.value}) is float" for z in variables)
        names["plain"] = " and ".join(f"type({z.name}) is float" for z in variables)
        if symbol == "**":
            names |= {"tensor": " or ".join(z.is_tensor for z in variables), "op": _choose(a, b, ops)}
            template = templates.POWER
        else:
            template = templates.BINARY
        if symbol == "/":
            names["floats"] += f" and {b.value}"  # dividing by 0.0 is for `general`
        if symbol in ("-", "/") and len(variables) == 2:
            names["recorded"] = f"{a.node} is not None or ({b.node} is not None and {a.is_tensor})"
        op = "op" if symbol == "**" else ops[0]
        self.write(template, node=_node(r, op, site, _operands(symbol, a, b)), **names)
        if symbol in "+-*" and all(z.kind != "float" for z in (a, b)):
            ints = " and ".join(f"type({z.name}) is int" for z in variables)
            self.write(templates.INTS, ints=ints, left=a.name, right=b.name, **names)
        self.write(templates.OTHERWISE, **names)
        for z in variables:
            if z.kind == "pair":  # a large array is not kept until the same line is run again
                self.write("    {t} = {x} = {n} = None", t=z.name, x=z.value, n=z.node)
        return r

    def scalar(self, r: Atom, op: str, a: Atom, site: str, general: str) -> None:
        """The operation `op` of one operand into the pair `r`; `general`: the text that computes it on anything."""
        self.unpack(a)
        self.write(
            templates.SCALAR,
            t=r.name, v=r.value, x=a.value, n=a.node, op=op, general=general,
            node=_node(r, "op", site, f"{{n}}.a = {a.node}\n{{n}}.b = NOTHING"),
        )  # fmt: skip

    def pair(self) -> Atom:
        """A new pair."""
        r = self.any()
        r.kind = "pair"
        return r

    def negative(self, a: Atom, general: Callable[[Any], Any], site: Any) -> Atom:
        """`-a`: a pair."""
        self.unpack(a)
        r = self.pair()
        self.write(
            templates.NEGATIVE,
            t=r.name, v=r.value, x=a.value, n=a.node, a=a.whole, general=self.constant(general),
            node=_node(r, self.constant(arithmetic.neg), self.constant(site), f"{{n}}.a = {a.node}\n{{n}}.b = NOTHING"),
        )  # fmt: skip
        return r

    def remainder(self, symbol: str, a: Atom, b: Atom, general: Callable[[Any, Any], Any]) -> Atom:
        """`a % b` or `a // b`: quick for two ints."""
        left, right, r = self.settle(a), self.settle(b), self.any()
        ints = " and ".join([f"type({z.name}) is int" for z in (a, b) if z.kind != "int"] + [f"{right} > 0"])
        if "float" in (a.kind, b.kind):
            ints = "False"
        self.write(
            "{t} = {a} {symbol} {b} if {ints} else {general}({a}, {b})",
            t=r.name, a=left, b=right, symbol=symbol, ints=ints, general=self.constant(general),
        )  # fmt: skip
        return r

    def compare(self, symbol: str, a: Atom, b: Atom, general: Callable[[Any, Any], Any]) -> str:
        """A comparison of which only the truth is asked: the variable with it."""
        self.unpack(a)
        self.unpack(b)
        numbers = [f"(type({z.value}) is float or type({z.value}) is int)" for z in (a, b) if not z.is_number]
        t = self.variable()
        self.write(
            "{t} = {x} {symbol} {y} if {numbers} else {general}({a}, {b})",
            t=t, x=a.value, y=b.value, symbol=symbol, numbers=" and ".join(numbers) or "True", a=a.whole, b=b.whole,
            general=self.constant(general),
        )  # fmt: skip
        return t

    # --- calls --------------------------------------------------------------------------------------------------

    def call(self, target: Atom, args: list[Atom], general: Callable[..., Any], state: str | None = None) -> Atom:
        """`target(args)`: a function of the program with plain parameters gets its frame right here.

        `general(frame, target, args)` calls anything else. `state`: the constant with the run's state, where the calls
        are not logged; then what `UserFunction.run` does is written out, too.
        """
        values, r = [self.settle(z) for z in args], self.any()
        names = {"t": r.name, "target": target.name, "count": str(len(args)), "general": self.constant(general)}
        names |= {"values": ", ".join(values), "frame": "".join(f"{v}, " for v in values)}
        self.write(templates.CALL if state is None else templates.CALL_WRITTEN_OUT, state=state or "", **names)
        return r


def fetched_by(operand: Operand) -> tuple[Any, ...]:
    """The constants that reading an operand needs."""
    kind, by, closure = operand
    if kind in ("int", "float"):
        return by, float(by)
    if kind == "expr":
        return (closure,)
    return (*by, closure) if kind == "global" else (by, closure)


def operator_constants(symbol: str, general: Callable[[Any, Any], Any], site: Any) -> tuple[Any, ...]:
    """What the text of an operator names: `general(a, b)` is the operator on anything."""
    return (general, site, *(FAST[symbol] if symbol == "**" else FAST[symbol][:1]))


def _choose(a: Atom, b: Atom, ops: list[str]) -> str:
    """The text of the op of a power: it depends on which operand is a number."""
    with_tensor, number_right, number_left = ops
    if a.is_number:
        return number_left
    right = number_right if b.is_number else f"{with_tensor} if {b.is_tensor} else {number_right}"
    return right if b.is_number else f"({right}) if {a.is_tensor} else {number_left}"


def _node(r: Atom, op: str, site: str, operands: str) -> str:
    """The lines that make the node of a pair."""
    template = templates.NODE.strip("\n").replace("{operands}", operands)
    return template.format(t=r.name, n=r.node, v=r.value, op=op, site=site)


def _operands(symbol: str, a: Atom, b: Atom) -> str:
    """The lines that give a node its operands: their nodes, or what they are off the graph."""
    if b.is_number:
        return f"{{n}}.a = {a.node}\n{{n}}.b = {b.value}"
    if a.is_number:
        first, second = (b.node, a.value) if symbol in COMMUTES else (a.value, b.node)
        return f"{{n}}.a = {first}\n{{n}}.b = {second}"
    if symbol not in COMMUTES:
        return (
            f"{{n}}.a = {a.node} if {a.node} is not None else {a.off_graph}\n"
            f"{{n}}.b = {b.node} if {b.node} is not None else {b.off_graph}"
        )
    return (
        f"if {a.node} is not None:\n    {{n}}.a = {a.node}\n"
        f"    {{n}}.b = {b.node} if {b.node} is not None else {b.off_graph}\n"
        f"elif {a.is_tensor}:\n    {{n}}.a = {a.name}\n    {{n}}.b = {b.node}\n"
        f"else:\n    {{n}}.a = {b.node}\n    {{n}}.b = {a.value}"
    )
