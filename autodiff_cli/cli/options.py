"""Options as data: the one table from which argv is read, and help, completion and man pages are made.

An option's value is kept as its `convert` returns it; the default stands in the table too. A variable of the
environment (`AUTODIFF_` and the option's name) is read where `variable` says so; options win over variables.

Invariant: names are unique, and a command names only options of this table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autodiff_cli.errors import UsageFault

Convert = Callable[[str], Any]


class Option:
    """One option.

    Attributes:
        name: without the leading dashes.
        short: a single letter, or "".
        metavar: what the help calls its value; "" for a flag.
        about: one line of help.
        default: the value without the option; a list for a repeatable one.
        convert: text -> value; raises ValueError with what is wanted, as a phrase.
        choices: the texts allowed, or ().
        variable: whether `AUTODIFF_<NAME>` sets it.
        files: its value is a file's name (for completion).
    """

    __slots__ = (
        "about",
        "choices",
        "convert",
        "default",
        "files",
        "metavar",
        "name",
        "repeatable",
        "short",
        "variable",
    )

    def __init__(
        self,
        name: str,
        metavar: str,
        about: str,
        *,
        short: str = "",
        default: Any = None,
        convert: Convert = str,
        choices: tuple[str, ...] = (),
        repeatable: bool = False,
        variable: bool = False,
        files: bool = False,
    ) -> None:
        self.name = name
        self.short = short
        self.metavar = metavar
        self.about = about
        self.default = default
        self.convert = convert
        self.choices = choices
        self.repeatable = repeatable
        self.variable = variable
        self.files = files

    @property
    def flag(self) -> bool:
        """Whether it takes no value."""
        return not self.metavar

    @property
    def spelt(self) -> str:
        """How a person writes it: `--max-steps`, or `-o` where there is no long form."""
        return f"--{self.name}" if len(self.name) > 1 else f"-{self.name}"

    @property
    def environment_variable(self) -> str:
        return "AUTODIFF_" + self.name.upper().replace("-", "_")

    def read(self, text: str, spelt: str) -> Any:
        """The value that `text` stands for.

        Raises:
            UsageFault: it is none. `spelt` is what to call the option in the message.
        """
        if self.choices and text not in self.choices:
            raise UsageFault(f"{spelt}: {text!r} is not one of {', '.join(self.choices)}")
        try:
            return self.convert(text)
        except ValueError as e:
            raise UsageFault(
                f"{spelt}: {text!r} is not {e}",
                hint=f"write for example {'0, 1 or 2' if self.convert is whole else _EXAMPLES[self.metavar]}",
            ) from None


_EXAMPLES = {
    "N": "1000000, 1_000_000 or 1e6",
    "SECONDS": "2.5",
    "NAME": "x, or x,y",
    "NAME=VALUE": "x=2, or x=[1,2,3]",
    "LINE: EXPR,...": "--probe '7: h, h.grad'",
    "WHAT,...": "value,grad,shape,line,saved",
    "I,J": "0,2 for a matrix, 3 for a vector",
    "N|all": "2, or all",
}


def count(text: str) -> int:
    """A positive whole number, also as `1e6`."""
    try:
        number = int(text)
    except ValueError:
        try:
            number = int(float(text))
            if number != float(text):
                number = 0
        except (ValueError, OverflowError):
            number = 0
    if number < 1:
        raise ValueError("a positive whole number")
    return number


def whole(text: str) -> int:
    """A whole number from 0."""
    if not text.isdecimal():
        raise ValueError("a whole number from 0")
    return int(text)


def one_pass(text: str) -> int:
    """The number of a backward pass, from 1; 0 for `all`."""
    return 0 if text == "all" else count(text)


def index(text: str) -> tuple[int, ...]:
    """The index of an entry: whole numbers from 0 with commas between."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise ValueError("an index")
    return tuple(int(part) for part in parts)


def shown(text: str) -> list[str]:
    """What the nodes of a picture show, with commas between."""
    found = [part.strip() for part in text.split(",") if part.strip()]
    if not set(found) <= {"value", "grad", "shape", "line", "saved"}:
        raise ValueError("a list of value, grad, shape, line, saved")
    return found


def seconds(text: str) -> float:
    """A positive number of seconds."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0.0 < number < float("inf"):
        raise ValueError("a positive number of seconds")
    return number


def names(text: str) -> list[str]:
    """Names with commas between them."""
    found = [part.strip() for part in text.split(",")]
    if not all(part.isidentifier() for part in found):
        raise ValueError("a name, or names with commas between them")
    return found


def assignment(text: str) -> list[tuple[str, str]]:
    """`NAME=VALUE` as a pair, alone in a list."""
    left, equals, right = text.partition("=")
    if not equals or not left.strip().isidentifier():
        raise ValueError("of the form NAME=VALUE")
    return [(left.strip(), right)]


def probe(text: str) -> list[tuple[int, str, str]]:
    """`7 if i == 2: h, h.grad` as line, condition ("": none) and text, alone in a list."""
    place, colon, expression = text.partition(":")
    line, word, condition = place.strip().partition(" if ")
    if not colon or not line.strip().isdecimal() or not expression.strip() or (word and not condition.strip()):
        raise ValueError("of the form LINE: EXPRESSION, or LINE if CONDITION: EXPRESSION")
    return [(int(line), condition.strip(), expression.strip())]


def number_format(text: str) -> str:
    """A format of C for one floating-point number: `%.6g`, `%12.3e`."""
    from autodiff_cli.views.numbers import parse_ofmt

    return parse_ofmt(text)


OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        Option(
            "set",
            "NAME=VALUE",
            "give an input its value; the form that always works",
            convert=assignment,
            repeatable=True,
        ),
        Option(
            "no-grad",
            "NAME",
            "an input that is a constant: requires_grad=False",
            convert=names,
            repeatable=True,
        ),
        Option(
            "of",
            "NAME",
            "the output: a name that the program binds, instead of its last value",
            convert=names,
            repeatable=True,
        ),
        Option("wrt", "NAME", "only the gradients with respect to these", convert=names, repeatable=True),
        Option("seed", "VALUE", "the vector of a vector-Jacobian product, of the output's shape"),
        Option("json", "", "one JSON document (for run: one a line)"),
        Option(
            "graph",
            "WHAT",
            "auto: elided when large; full: every node; none",
            default="auto",
            choices=("auto", "full", "none"),
        ),
        Option(
            "to",
            "FORMAT",
            "what is drawn; else by the ending of -o; else a tree",
            choices=("tree", "dot", "mermaid", "svg", "png", "html", "json"),
        ),
        Option(
            "show",
            "WHAT,...",
            "what nodes show, of value,grad,shape,line,saved (value,grad)",
            convert=shown,
            repeatable=True,
        ),
        Option(
            "edges",
            "WHAT",
            "local: the local derivative on every edge; plain",
            default="plain",
            choices=("plain", "local"),
        ),
        Option("fold-loops", "", "draw a loop's turn once; done by itself past 60 nodes"),
        Option("unfold", "", "draw every turn of every loop"),
        Option("depth", "N", "fold calls that are nested deeper (0: every call is one node)", convert=whole),
        Option("around", "NAME", "only what is near the last value of this name"),
        Option("radius", "N", "how near: edges between it and NAME", default=2, convert=whole),
        Option(
            "theme",
            "THEME",
            "light, dark, or auto (an SVG follows the page; a PNG is light)",
            default="auto",
            choices=("auto", "light", "dark"),
        ),
        Option("ledger", "", "what happened to gradients over the life of the program"),
        Option("vs", "", "what follows are the inputs of the second run; others are as in the first"),
        Option("exit-code", "", "exit with 1 if they differ"),
        Option("element", "I,J", "of arrays only the entry with this index", convert=index),
        Option("pass", "N|all", "which backward pass, if the program has several; else the last", convert=one_pass),
        Option("forward", "", "how the graph came to be, line by line: what was recorded, and why not"),
        Option("symbolic", "", "the derivatives along the path taken, as formulas in the inputs (of scalars)"),
        Option("all", "", "every step; else the middle of a long pass is left out"),
        Option(
            "ofmt",
            "FORMAT",
            "a printf format for the numbers in text, such as %.6g",
            convert=number_format,
            variable=True,
        ),
        Option("quiet", "", "only what the programs print", short="q"),
        Option("summary", "", "one row for each file"),
        Option(
            "probe",
            "LINE: EXPR,...",
            "show values each time after this line has run; LINE if CONDITION: picks the times",
            convert=probe,
            repeatable=True,
        ),
        Option(
            "output",
            "FILE",
            "write to FILE, whole or not at all; - is standard output",
            short="o",
            files=True,
        ),
        Option(
            "color",
            "WHEN",
            "auto, always or never",
            default="auto",
            choices=("auto", "always", "never"),
            variable=True,
        ),
        Option(
            "max-steps",
            "N",
            "statements a program may execute",
            default=100_000_000,
            convert=count,
            variable=True,
        ),
        Option(
            "max-nodes",
            "N",
            "nodes of the graph alive at once",
            default=20_000_000,
            convert=count,
            variable=True,
        ),
        Option("max-depth", "N", "calls within calls", default=1_000, convert=count, variable=True),
        Option("max-elements", "N", "elements of one tensor", default=2**27, convert=count, variable=True),
        Option("timeout", "SECONDS", "end a program that runs longer", convert=seconds, variable=True),
        Option("debug", "", "show the traceback of a fault of this program"),
        Option("help", "", "show this page", short="h"),
        Option("version", "", "show the version"),
    )
}
