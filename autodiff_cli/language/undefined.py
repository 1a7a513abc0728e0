"""Names that a program reads and does not define: its inputs, and those that nobody defines (LANGUAGE.md,
section 1).
"""

from __future__ import annotations

from autodiff_cli.language import nodes
from autodiff_cli.language.binding import Binder, Read, owner_of
from autodiff_cli.language.misfit import refuse
from autodiff_cli.source import Span

# Namespaces: a value given for one of these does not hide it.
NAMESPACES = frozenset(("torch", "math", "F", "nn", "linalg", "special", "func", "autograd"))

# Names of modules that programs for other libraries begin with.
FOREIGN_MODULES = frozenset(
    ("np", "numpy", "jnp", "jax", "tf", "keras", "scipy", "sp", "plt", "pd", "os", "sys", "optim")
)

# Python's functions that reach out of a program, and what is so about them.
REACHING = {
    "eval": ": a program cannot run text", "exec": ": a program cannot run text",
    "compile": ": a program cannot run text", "open": ": a program can reach no file",
    "input": ": nobody is asked while a program runs", "__import__": ": nothing else can be imported",
    "exit": "", "quit": "", "help": "", "getattr": ": attributes are named in the text",
    "setattr": ": attributes are named in the text", "delattr": ": attributes are named in the text",
    "hasattr": ": attributes are named in the text", "globals": ": variables are named in the text",
    "locals": ": variables are named in the text", "vars": ": variables are named in the text",
    "dir": ": variables are named in the text",
}  # fmt: skip
OTHER_PYTHON = frozenset((
    "aiter", "anext", "ascii", "bin", "bytearray", "bytes", "callable", "chr", "classmethod", "complex",
    "divmod", "format", "frozenset", "hash", "hex", "id", "issubclass", "iter", "memoryview", "next",
    "object", "oct", "ord", "pow", "property", "repr", "slice", "staticmethod", "super",
))  # fmt: skip
INSTEAD = {
    "input": "declare what the command line gives: `x: input = 2.0`",
    "eval": "write the expression itself", "exec": "write the statements themselves",
    "repr": 'write `f"{x!r}"`', "format": 'write `f"{x:.3f}"`', "divmod": "write `a // b` and `a % b`",
    "next": "write a `for` with a `break`", "iter": "write a `for`", "frozenset": "write `set(...)`",
    "pow": "write `a**b`",
}  # fmt: skip

# Constants as other languages spell them. (`pi` and `e` are names like any other, and can be inputs.)
CONSTANTS = {
    **dict.fromkeys(("true", "TRUE"), "True"),
    **dict.fromkeys(("false", "FALSE"), "False"),
    **dict.fromkeys(("null", "NULL", "none", "nil", "undefined"), "None"),
    **dict.fromkeys(("NaN", "NAN"), "math.nan"),
    **dict.fromkeys(("Infinity", "Inf"), "math.inf"),
}

# What functions are called elsewhere -> here.
ALIASES = {
    "ln": "log", "lg": "log10", "ld": "log2", "arctan2": "atan2", "power": "pow", "fabs": "abs",
    "absolute": "abs", "sen": "sin", "tg": "tan", "arctg": "atan", "sqr": "square", "cbrt": "pow",
    "array": "tensor", "concatenate": "cat", "concat": "cat", "expand_dims": "unsqueeze", "average": "mean",
    "identity": "eye", "logistic": "sigmoid", "gammaln": "lgamma", "length": "len", "println": "print",
    "printf": "print", "echo": "print", "puts": "print", "integer": "int", "axpy": "add",
    "heaviside": "where", "iif": "where", "ifelse": "where", "sgn": "sign", "ceiling": "ceil", "mod": "fmod",
}  # fmt: skip


class Undefined:
    """A name that has to come from outside."""

    __slots__ = ("declaration", "kind", "name", "span")

    def __init__(self, name: str, span: Span, kind: str = "input", declaration: nodes.AnnAssign | None = None) -> None:
        self.name = name
        self.span = span
        self.kind = kind
        self.declaration = declaration


def find_inputs(binder: Binder, known: frozenset[str], given: frozenset[str]) -> list[Undefined]:
    """The inputs, in the order of the text.

    Raises Misfit for a name that cannot be one and that nobody defines.
    """
    reads = [read for read in binder.reads if _is_global(binder, read)]
    called = {read.node.id for read in reads if read.role == "called"}
    library = known - (given - called - NAMESPACES)
    found: dict[str, Undefined] = {}
    for node, name in binder.declared.items():
        assert isinstance(node.annotation, nodes.Name)
        found[name] = Undefined(name, node.target.span, node.annotation.id, node)
    for read in reads:
        name, span = read.node.id, read.node.span
        bound = name in binder.module.bound
        if name in library or (name in called and bound) or (bound and not read.unbound):
            continue
        if not bound and (name not in given or name in called):
            _refuse_unknown(read, reads, binder, known)
        earlier = found.get(name)
        if earlier is None or (earlier.declaration is None and span.start < earlier.span.start):
            found[name] = Undefined(name, span)
    return sorted(found.values(), key=lambda one: one.span.start)


def _is_global(binder: Binder, read: Read) -> bool:
    frame, name = read.frame, read.node.id
    if frame is binder.module or name in frame.global_names:
        return True
    return name not in frame.bound and owner_of(frame, name) is None


def _refuse_unknown(read: Read, reads: list[Read], binder: Binder, known: frozenset[str]) -> None:
    """Refuse a name that nobody defines and that can be no input."""
    name, span = read.node.id, read.node.span
    if name in REACHING or (read.role == "called" and name in OTHER_PYTHON):
        refuse("python-name", span, name=name, reason=REACHING.get(name, ""), instead=INSTEAD.get(name, ""))
    if name.startswith("__") and name.endswith("__"):
        refuse("dunder-name", span, name=name)
    if read.role == "called":
        refuse(
            "unknown-function",
            span,
            name=name,
            instead=_instead(name, reads, known | binder.module.bound.keys()),
        )
    if name in CONSTANTS:
        refuse("constant-name", span, name=name, instead=CONSTANTS[name])
    if name in FOREIGN_MODULES and read.attr:
        refuse("unknown-module", span, name=name, attr=read.attr)


def _instead(name: str, reads: list[Read], candidates: frozenset[str]) -> str:
    """What to write for a function that is not there."""
    if any(read.node.id == name and read.role != "called" for read in reads):
        return f"write `{name}*(...)` for a product"
    if ALIASES.get(name) in candidates:
        return f"here it is `{ALIASES[name]}`"
    from difflib import get_close_matches

    close = get_close_matches(name, sorted(candidates), 1, 0.7)
    if close:
        return f"did you mean `{close[0]}`?"
    if len(name) <= 2:
        return f"define it with `def {name}(...)`, or write `{name}*(...)` for a product"
    return f"define it with `def {name}(...)`"
