"""`autodiff repl`: a prompt for programs, line by line; a pipe is read as a script.

An input is shown with the value of the expression that it ends with, as Python's prompt does. Lines that begin with
a colon are commands; `TABLE` lists them. In a script, what is wrong is told and the rest is run; the exit code is that
of the first input that failed.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import Any

from autodiff_cli.cli.arguments import Request
from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.output import redirected
from autodiff_cli.cli.prompt import Script, Terminal, on_terminal
from autodiff_cli.cli.reporting import report, warn
from autodiff_cli.cli.session import limits, show
from autodiff_cli.cli.sources import read_file
from autodiff_cli.cli.words import attribute_words
from autodiff_cli.engine.tensor import Tensor, current_node
from autodiff_cli.errors import Fault, Status, UsageFault
from autodiff_cli.language.completeness import belongs, goes_on, open_block
from autodiff_cli.nearest import nearest
from autodiff_cli.runtime.session import LAST, Session
from autodiff_cli.source import Source
from autodiff_cli.views import debug as view
from autodiff_cli.views.text import Line, Look

PROMPT = ">>> "
INPUT = "<input>"


def run(env: Environment, request: Request) -> Status:
    """Run the command; see the table in `commands/__init__.py`."""
    if request.words:
        raise UsageFault(
            "repl takes no program", hint=f"start it, then write :load {request.words[0]}; or: autodiff eval ..."
        )
    repl = Repl(env, request)
    typed = on_terminal(env)
    if typed:
        repl.reader = Terminal(env, "repl_history", repl.complete, finished)
        env.tell(":help lists the commands; Ctrl-D ends\n")
    before = signal.getsignal(signal.SIGINT)
    if typed:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return repl.loop()
    finally:
        signal.signal(signal.SIGINT, before)
        repl.close()


def finished(text: str) -> bool:
    """Whether Enter takes what was typed: it is complete, and a block has been ended by an empty line."""
    if text.lstrip().startswith(":"):
        return True
    if open_block(text) and text.split("\n")[-1].strip():
        return False
    return not goes_on(text)


class Repl:
    """One session at the prompt. `status`: of the first input that failed."""

    def __init__(self, env: Environment, request: Request) -> None:
        self.env = env
        self.request = request
        self.reader: Script | Terminal = Script(env)
        self.look = Look(env.width(env.stdout), env.boxes(env.stdout), request["ofmt"])
        self.status = Status.DONE
        self.open()

    def open(self) -> None:
        """Begin with an empty session."""
        self._entered = ExitStack()
        self.session = self._entered.enter_context(Session(limits(self.request), self.env.write))
        self.kept: list[str] = []  # the inputs that went well, for :save

    def close(self) -> None:
        self._entered.close()

    def loop(self) -> Status:
        """Take inputs until they end."""
        while True:
            try:
                text = self.read()
                if text is None or self.take(text):
                    return Status.DONE if self.reader.interactive else self.status
            except KeyboardInterrupt:
                if not self.reader.interactive:
                    raise
                self.env.tell("interrupted\n")

    def read(self) -> str | None:
        """The next input; None at the end."""
        self.env.stdout.flush()
        try:
            text = self.reader.read(PROMPT)
        except KeyboardInterrupt:  # on a terminal: drop what was typed
            return ""
        if text is None or isinstance(self.reader, Terminal) or text.startswith(":"):
            return text
        while goes_on(text) or open_block(text) or _one_line_block(text):
            if not goes_on(text):
                following = self.reader.peek()
                if following is None or not belongs(following):
                    break
            more = self.reader.read()
            if more is None:
                break
            text += "\n" + more
        return text

    def take(self, text: str) -> bool:
        """Do one input; whether it ends the session."""
        try:
            if text.lstrip().startswith(":"):
                word, _, rest = text.strip()[1:].partition(" ")
                return find(word).run(self, rest.strip()) or False
            self.execute(Source(text.strip("\n"), INPUT))
            if text.strip():
                self.kept.append(text.strip("\n"))
        except Fault as fault:
            self.status = self.status or fault.status
            warn(self.env, self.session.warnings())
            report(self.env, fault, False)
        return False

    def execute(self, source: Source) -> None:
        """Run a piece of program and show what it comes to."""
        value = self.session.run(source)
        warn(self.env, self.session.warnings())
        if value is not None:
            self.show(view.printed_lines(None, value))

    def show(self, lines: Iterable[Line]) -> None:
        show(self.env, list(lines))

    # --- commands

    def tensor(self, text: str, what: str) -> tuple[str, Tensor]:
        """The tensor that a name stands for; without a name, the last value."""
        name = text or LAST
        variables = self.session.variables
        if name not in variables:
            if not text:
                raise UsageFault("there is no value so far", hint=f"as in {what} z")
            close = nearest(name, variables)
            raise UsageFault(f"there is no variable {name}", hint=f"did you mean {what} {close}?" if close else None)
        value = variables[name]
        if not isinstance(value, Tensor):
            raise UsageFault(f"{text or 'the last value'} is no tensor")
        return (text or "the last value"), value

    def graph(self, rest: str) -> None:
        from autodiff_cli.views.graph_tree import graph_tree

        name, value = self.tensor(rest, ":graph")
        if current_node(value) is None:
            raise UsageFault(f"{name} has no graph", hint="no operation on a value that requires a gradient led to it")
        self.show(graph_tree(self.session.graph(value), self.look))

    def grad(self, rest: str) -> None:
        name, value = self.tensor(rest, ":grad")
        gradient = self.session.gradient(value)
        if gradient is None and current_node(value) is None:
            raise UsageFault(f"{name} requires no gradient")
        self.show([view.gradient_line(name, gradient, False, self.look)])

    def explain(self, rest: str) -> None:
        from autodiff_cli.views.explain import explanation
        from autodiff_cli.views.explain_text import explain_lines

        session = self.session
        if not session.trail.count:
            raise UsageFault("there was no backward pass so far", hint="as in z.backward(), then :explain")
        wrt = rest.replace(",", " ").split()
        for name in wrt:
            self.tensor(name, ":explain")
        run = session.outcome()
        told = explanation(run, session.trail, session.texts.whole, wrt)
        self.show(explain_lines(run, [told._replace(line=None)], self.look, wrt=wrt))

    def variables(self, rest: str) -> None:
        found = [(name, value) for name, value in self.session.variables.items() if name != LAST]
        self.show(view.variable_lines(found, self.look))

    def save(self, rest: str) -> None:
        if not rest:
            raise UsageFault(":save needs a file", hint="as in :save model.ad")
        with redirected(self.env, rest):
            self.env.write("".join(text + "\n" for text in self.kept))
        self.env.tell(f"{rest}: {len(self.kept)} inputs\n")

    def load(self, rest: str) -> None:
        if not rest:
            raise UsageFault(":load needs a file", hint="as in :load model.ad")
        source = read_file(rest)
        self.execute(source)
        self.kept.append(source.text.strip("\n"))

    def reset(self, rest: str) -> None:
        self.close()
        self.open()

    def help(self, rest: str) -> None:
        if not rest:
            self.show(view.help_lines([(c.usage, c.about) for c in TABLE], self.look))
            return
        from autodiff_cli.views.catalogue import find as entries_of
        from autodiff_cli.views.catalogue import known_names
        from autodiff_cli.views.operations import entry_lines

        entries = entries_of(rest)
        if not entries:
            close = nearest(rest, known_names())
            raise UsageFault(f"the library has no {rest}", hint=f"did you mean :help {close}?" if close else None)
        for i, entry in enumerate(entries):
            self.show([[]] * bool(i) + entry_lines(entry, self.look.width))

    def quit(self, rest: str) -> bool:
        return True

    # --- completion

    def complete(self, before: str) -> list[str]:
        """The words that may stand at the end of what was typed."""
        if before.startswith(":") and " " not in before:
            return [":" + c.name for c in TABLE]
        names = {**self.session.library, **self.session.variables}
        return attribute_words(before, names) or sorted(n for n in names if n.isidentifier())


class Command:
    """A command of the prompt, as it is written behind the colon, and a line about it."""

    __slots__ = ("about", "name", "run", "usage")

    def __init__(self, usage: str, about: str, run: Callable[[Repl, str], Any]) -> None:
        self.usage = f":{usage}"
        self.name = usage.split(" ")[0]
        self.about = about
        self.run = run


TABLE: tuple[Command, ...] = (
    Command("graph [NAME]", "the graph of a value (alone: of the last one)", Repl.graph),
    Command("grad [NAME]", "its gradient", Repl.grad),
    Command("explain [NAME]", "the last backward pass, step by step (alone: all of it)", Repl.explain),
    Command("vars", "the variables", Repl.variables),
    Command("help [FUNCTION]", "a function of the library; alone: this list", Repl.help),
    Command("save FILE", "write the inputs that went well into a program", Repl.save),
    Command("load FILE", "run a program here", Repl.load),
    Command("reset", "forget everything", Repl.reset),
    Command("quit", "end (also Ctrl-D)", Repl.quit),
)


def find(word: str) -> Command:
    """The command of a name, or of its beginning.

    Raises:
        UsageFault: there is none.
    """
    begun = [c for c in TABLE if c.name == word] or [c for c in TABLE if word and c.name.startswith(word)]
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise UsageFault(f":{word} may be " + " or ".join(f":{c.name}" for c in begun))
    close = nearest(word, [c.name for c in TABLE])
    raise UsageFault(f"there is no command :{word}", hint=f"did you mean :{close}?" if close else ":help lists them")


def _one_line_block(text: str) -> bool:
    """Whether a line is a whole `if`, `try`, ... which `else` may follow."""
    return "\n" not in text and text.split(" ")[0].rstrip(":") in ("if", "for", "while", "try")
