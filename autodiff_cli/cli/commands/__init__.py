"""The commands as data: what `autodiff` can do, where each command's code is, and what its help shows.

A command's module is imported when the command runs. It has one function, `run(env, request) -> Status`.

Invariant: every name in `COMMANDS` has a module in this package; `LATER` names none of them.
"""

from __future__ import annotations

from autodiff_cli.cli.options import OPTIONS, Option

GENERAL = ("color", "debug", "help")
RUNNING = (
    *("set", "no-grad", "of", "wrt", "seed", "json", "graph", "ofmt", "output"),
    *("max-steps", "max-nodes", "max-depth", "max-elements", "timeout"),
    *GENERAL,
)
SOURCE = "SOURCE"
SOURCE_HELP = (
    "SOURCE is an expression or the text of a program; a path that ends in .ad or .py; @FILE for a file of "
    "any other name; - for standard input. Names that the program reads and does not bind are its inputs: "
    "--x 2, --x=-2, --x '[1, 2, 3]', --x @data.csv."
)


class Command:
    """One command.

    Attributes:
        name: the word on the command line.
        takes: what the words after it are: "SOURCE" (one), "FILE..." (at least one), "[NAME]" and the like.
        about: one line.
        more: a paragraph of its help, or "".
        examples: pairs of a command line (without `autodiff`) and a phrase.
        options: its options: its `own`, then those of the table that it names.
        inputs: whether `--NAME VALUE` gives inputs.
        words: what its words may be, for completion; () for anything.
        hidden: left out of the list of commands.
    """

    __slots__ = ("about", "examples", "hidden", "inputs", "more", "name", "options", "own", "takes", "words")

    def __init__(
        self,
        name: str,
        takes: str,
        about: str,
        *,
        examples: tuple[tuple[str, str], ...],
        options: tuple[str, ...],
        more: str = "",
        inputs: bool = False,
        words: tuple[str, ...] = (),
        hidden: bool = False,
        own: tuple[Option, ...] = (),
    ) -> None:
        self.name = name
        self.takes = takes
        self.about = about
        self.examples = examples
        self.more = more
        self.own = own
        self.options: tuple[Option, ...] = own + tuple(OPTIONS[option] for option in options)
        self.inputs = inputs
        self.words = words
        self.hidden = hidden

    @property
    def usage(self) -> str:
        given = " [--NAME VALUE]..." if self.inputs else ""
        return f"autodiff {self.name} {self.takes}".rstrip() + f"{given} [options]"


COMMANDS: dict[str, Command] = {
    command.name: command
    for command in (
        Command(
            "eval",
            SOURCE,
            "the value, the graph and the gradients",
            examples=(
                ('eval "z=(x*y+1)**2" --x 2 --y 3', "a formula at a point"),
                (
                    'eval "a = w*x; (a - 1).relu().sum()" --w "[1,2]" --x "[3,4]"',
                    "arrays; the last value is the output",
                ),
                ("eval model.ad --x 2 --json", "a program in a file; the answer as JSON"),
                ("eval - --x 2 < model.ad", "a program on standard input"),
            ),
            more=SOURCE_HELP,
            options=("ledger", *RUNNING),
            inputs=True,
        ),
        Command(
            "grad",
            SOURCE,
            "the gradients alone, for scripts",
            examples=(
                ('grad "z=(x*y+1)**2" --x 2 --y 3', "one line a name: the name, a tab, the gradient"),
                ('slope=$(autodiff grad "x**3" --x 2 --wrt x)', "the bare number"),
            ),
            more=SOURCE_HELP,
            options=RUNNING,
            inputs=True,
        ),
        Command(
            "run",
            "FILE...",
            "a batch: files, folders (their *.ad), patterns",
            examples=(
                ("run samples/", "every .ad file in the folder; exit code 1 if one fails"),
                ("run samples/ --summary", "one row for each file"),
                ("run -q train.py", "only what the program prints"),
                ("run kepler.ad --e 0.3", "with another value for an input that the file declares"),
            ),
            options=("quiet", "summary", "probe", "ledger", *RUNNING),
            inputs=True,
        ),
        Command(
            "ops",
            "[NAME]",
            "the library: functions, derivatives, conventions at kinks",
            examples=(("ops", "all, by family"), ("ops relu", "one: its signature and its derivative")),
            options=("json", "output", *GENERAL),
        ),
        Command(
            "graph",
            SOURCE,
            "the graph as a picture: tree, dot, Mermaid, SVG, PNG, HTML, JSON",
            examples=(
                ('graph "z=(x*y+1)**2" --x 2 --y 3 -o z.svg', "a picture; no other program is needed"),
                ("graph model.ad -o model.html", "a page to step through, forward and backward"),
                ("graph model.ad --to mermaid --edges local", "text for Markdown, with local derivatives"),
                ("graph train.ad --to dot --depth 0 | dot -Tpdf > train.pdf", "by Graphviz, calls folded"),
                ("graph model.ad --to png --around loss --radius 3 -o loss.png", "a part of it"),
            ),
            more=SOURCE_HELP,
            options=(
                *("to", "show", "edges", "fold-loops", "unfold", "depth", "around", "radius", "theme"),
                *(name for name in RUNNING if name not in ("wrt", "graph")),
            ),
            inputs=True,
        ),
        Command(
            "explain",
            SOURCE,
            "the backward pass, step by step: local derivatives, products, sums",
            examples=(
                ('explain "z=(x*y+1)**2" --x 2 --y 3', "each step of the chain rule"),
                ("explain model.ad --wrt w --all", "all that leads to one gradient"),
                ("explain model.ad --symbolic", "the derivative as a formula, along the path taken"),
                ("explain model.ad --forward", "which node each line made, and why some made none"),
                ('explain "(w*x).sum()" --w "[1,2]" --x "[3,4]" --element 1', "one entry of the arrays"),
                ("explain model.ad -o model.tex", "as LaTeX; .md is Markdown, .json is JSON"),
            ),
            more=SOURCE_HELP,
            options=("forward", "symbolic", "element", "pass", "all", *(name for name in RUNNING if name != "graph")),
            own=(
                Option(
                    "to",
                    "FORMAT",
                    "text, markdown, latex, json; else by the ending of -o; else text",
                    choices=("text", "markdown", "latex", "json"),
                ),
            ),
            inputs=True,
        ),
        Command(
            "compare",
            "SOURCE [SOURCE]",
            "what differs between the graphs of two runs, branch by branch",
            examples=(
                ('compare "y = x*x if x > 0 else -x" --x 2 --vs --x=-2', "one program with two inputs"),
                ("compare model.ad --n 3 --vs --n 5 --all", "with what is the same in both"),
                ("compare old.ad new.ad --x 2 --exit-code", "two programs; 1 if their graphs differ"),
            ),
            more=SOURCE_HELP,
            options=("vs", "exit-code", *(name for name in RUNNING if name != "wrt")),
            own=(Option("all", "", "with what is the same in both; else the middle of long parts is left out"),),
            inputs=True,
        ),
        Command(
            "stats",
            SOURCE,
            "what the graph costs: nodes, depth, bytes, time, by operation and by line",
            examples=(
                ("stats model.ad", "a summary"),
                ("stats model.ad --json", "the same for a program"),
            ),
            more=SOURCE_HELP,
            options=tuple(name for name in RUNNING if name not in ("wrt", "graph")),
            inputs=True,
        ),
        Command(
            "debug",
            SOURCE,
            "step through a program, forward and back, and through its backward pass",
            examples=(
                ("debug model.ad --x 2", "a prompt; help lists its commands"),
                ("debug train.ad < commands.txt", "the commands from a file, or a pipe; no prompts"),
            ),
            more=SOURCE_HELP.replace("any other name; - for standard input", "any other name")
            + " The debugger's commands come from standard input; the prompt is for a terminal alone.",
            options=tuple(name for name in RUNNING if name not in ("wrt", "json", "graph")),
            inputs=True,
        ),
        Command(
            "repl",
            "",
            "a prompt: programs line by line; a pipe is read as a script",
            examples=(
                ("repl", "x = tensor(2.0, requires_grad=True); names and graph go on from line to line"),
                ("repl < session.txt", "the same without prompts"),
            ),
            options=(
                *("ofmt", "output", "max-steps", "max-nodes", "max-depth", "max-elements", "timeout"),
                *GENERAL,
            ),
        ),
        Command(
            "completion",
            "bash|zsh|fish",
            "a completion script for a shell",
            examples=(
                ("completion bash >> ~/.bashrc", "for bash"),
                ("autodiff completion fish > ~/.config/fish/completions/autodiff.fish", "for fish"),
            ),
            options=("output", *GENERAL),
            words=("bash", "zsh", "fish"),
        ),
        Command(
            "man",
            "[COMMAND]",
            "a man page",
            examples=(("man > autodiff.1", "of all"), ("man eval | man -l -", "of one command")),
            options=("output", *GENERAL),
            hidden=True,
        ),
    )
}

# planned, and named in messages so that nobody searches for a spelling
LATER: dict[str, str] = {
    **dict.fromkeys(("jacobian", "hessian", "jvp", "vjp", "hvp"), "in a program there is torch.func.{name}"),
    "vjp": "`--seed` gives the vector of a vector-Jacobian product",
    **dict.fromkeys(
        (
            "check",
            "doctor",
            "why",
            "map",
            "minimize",
            "solve",
            "fit",
            "propagate",
            "plot",
            "sweep",
            "export",
        ),
        "",
    ),
}
EXAMPLES: tuple[tuple[str, str], ...] = (
    ('eval "z=(x*y+1)**2" --x 2 --y 3', "value, graph, gradients"),
    ('grad "sin(x)*exp(y)" --x 1 --y 0 --wrt x', "one number, for a script"),
    ("eval model.ad --lr 0.1 --json", "a program in a file, the answer as JSON"),
    ("run samples/ --summary", "a folder of programs"),
    ("ops relu", "what the library knows"),
)
