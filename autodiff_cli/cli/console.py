"""The commands of the debugger: one line in, an order for the run out, or an answer and the next line.

`TABLE` is the list of the commands; help and completion are made of it. The answers are the result, on standard
output; what is wrong with a command goes to standard error, and the next command is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.prompt import Script, Terminal
from autodiff_cli.cli.reporting import report, warn
from autodiff_cli.cli.session import show
from autodiff_cli.engine.tensor import Tensor, current_node
from autodiff_cli.errors import Fault, Status, UsageFault
from autodiff_cli.nearest import nearest
from autodiff_cli.runtime.debugger import Debugger, Order
from autodiff_cli.runtime.evaluation import Expression
from autodiff_cli.runtime.stops import (
    BACK,
    CONTINUE,
    DONE,
    FAILED,
    FINISH,
    NEXT,
    OVER,
    QUIT,
    RESTART,
    STEP,
    Breakpoint,
    Level,
    Stop,
    gradient_now,
)
from autodiff_cli.runtime.watches import Watched
from autodiff_cli.views import debug as view
from autodiff_cli.views.text import Line, Look

PROMPT = "(debug) "
REPEATED = (STEP, NEXT, BACK)  # what an empty line does again


class Console:
    """Reads commands and answers them. `status`: of the first command that was wrong, in a script."""

    def __init__(self, env: Environment, reader: Script | Terminal, ofmt: str | None) -> None:
        self.env = env
        self.reader = reader
        self.look = Look(env.width(env.stdout), env.boxes(env.stdout), ofmt)
        self.status = Status.DONE
        self.fault: Fault | None = None  # what the program has failed with, as it stands now
        self.last = ""
        self.height = 0  # calls above the innermost one that `print` looks from
        self.listed = 0  # the line around which `list` goes on; 0: the current one
        self.debugger: Debugger
        self.stop: Stop

    # --- the conversation

    def control(self, stop: Stop) -> Order:
        """Show where the program waits, and read commands until one lets it go on."""
        self.stop = stop
        self.listed = self.height = 0
        if stop.interrupted:
            self.env.tell("\n")
        self.fault = stop.fault if stop.kind == FAILED else None
        if stop.kind == DONE:
            warn(self.env, stop.outcome.warnings)
        if stop.fault is not None:
            report(self.env, stop.fault, False)
        self.show(view.stop_lines(self.debugger, stop, self.look))
        while True:
            try:
                line = self._read()
                if line is None:
                    return QUIT, 1
                order = self.obey(line)
            except KeyboardInterrupt:
                if not self.reader.interactive:
                    raise
                self.env.tell("\n" if self.env.is_terminal(self.env.stderr) else "")
                continue
            except Fault as fault:
                self.wrong(fault)
                continue
            if order is not None:
                return order

    def _read(self) -> str | None:
        self.env.stdout.flush()
        line = self.reader.read(PROMPT)
        if line is None:
            return None
        line = line.strip()
        if not line and self.reader.interactive:
            return self.last
        self.last = line if line.split(" ")[0] in _words(REPEATED) else ""
        return line

    def wrong(self, fault: Fault) -> None:
        """Tell what is wrong with a command."""
        if not self.reader.interactive:
            self.status = self.status or fault.status
        report(self.env, fault, False)

    def show(self, lines: Iterable[Line]) -> None:
        show(self.env, list(lines))

    def changed(self, one: Watched, before: Any, level: Level) -> None:
        if view.differ(before, one.value, self.look):
            self.show([view.change_line(self.debugger, one, before, level, self.look)])

    def told(self, one: Breakpoint, fault: Fault) -> None:
        self.env.tell(f"the condition of breakpoint {one.number} fails:\n")
        report(self.env, fault, False)

    def obey(self, line: str) -> Order | None:
        """Do one command; the order that it is, if it is one.

        Raises:
            Fault: there is no such command, or it cannot be done.
        """
        if not line or line.startswith("#"):
            return None
        word, _, rest = line.partition(" ")
        command = find(word)
        return command.run(self, rest.strip())

    # --- orders

    def order(self, what: str, rest: str) -> Order:
        count = 1
        if rest:
            if what not in REPEATED:
                raise UsageFault(f"{what} takes nothing after it")
            if not rest.isdecimal() or not int(rest):
                raise UsageFault(f"{what} takes a number of steps, not {rest!r}", hint=f"as in {what} 3")
            count = int(rest)
        if self.stop.kind in OVER and what not in (BACK, RESTART, QUIT):
            raise UsageFault(
                "the program is over", hint="back goes back a step, restart begins again, quit ends the debugger"
            )
        return what, count

    # --- questions

    @property
    def level(self) -> Level:
        return self.stop.frames[-1 - self.height] if self.stop.stack else self.debugger.top

    def expression(self, text: str, what: str, example: str) -> Expression:
        if not text:
            raise UsageFault(f"{what} takes an expression", hint=f"as in {what} {example}")
        return Expression(text, self.debugger.program.source, f"<{what}>")

    def print_(self, rest: str) -> None:
        expression = self.expression(rest, "print", "h, h.grad")
        values = self.debugger.evaluate(expression, self.level)
        for part, value in zip(expression.parts, values, strict=True):
            self.show(view.printed_lines(part if len(values) > 1 else None, value))
        warn(self.env, expression.warnings)

    def tensor(self, rest: str, what: str) -> Tensor:
        value = self.debugger.evaluate(self.expression(rest, what, "h"), self.level)[0]
        if not isinstance(value, Tensor):
            raise UsageFault(f"{rest} is no tensor", hint="a graph and a gradient belong to tensors")
        return value

    def grad(self, rest: str) -> None:
        value = self.tensor(rest, "grad")
        gradient, partial = gradient_now(value)
        if current_node(value) is None and gradient is None:
            self.show([[(f"{rest} has no gradient: it does not require one", "quiet")]])
            return
        self.show([view.gradient_line(rest, gradient, partial, self.look)])

    def graph(self, rest: str) -> None:
        from autodiff_cli.views.graph_tree import graph_tree

        value = self.tensor(rest, "graph") if rest else self._latest()
        if current_node(value) is None:
            self.show([[("it has no graph: no operation on a value that requires a gradient led to it", "quiet")]])
            return
        self.show(graph_tree(self.debugger.graph(value, self.level), self.look))

    def _latest(self) -> Tensor:
        """The tensor with the latest node among the variables to be seen."""
        seen = [*self.debugger.variables(self.debugger.top), *self.debugger.variables(self.level)]
        found = [v for _, v in seen if isinstance(v, Tensor) and current_node(v) is not None]
        if not found:
            raise UsageFault("no variable has a graph so far", hint="as in graph h")
        return max(found, key=lambda v: current_node(v).seq)  # type: ignore[union-attr]

    def where(self, rest: str) -> None:
        self.show(view.where_lines(self.debugger, self.stop, self.look, self.height))

    def up(self, rest: str) -> None:
        self._move(1, "this is the outermost level")

    def down(self, rest: str) -> None:
        self._move(-1, "this is the innermost level")

    def _move(self, by: int, end: str) -> None:
        if not 0 <= self.height + by < max(1, len(self.stop.frames)):
            raise UsageFault(end, hint="where shows the levels")
        self.height += by
        self.listed = 0
        self.show(view.frame_lines(self.debugger, self.stop, self.level, self.look))

    def list_(self, rest: str) -> None:
        current = self.level.line if self.stop.stack else 0
        if rest:
            self.listed = self.line_number(rest)
        elif self.listed:
            self.listed += 2 * view.AROUND + 1
        else:
            self.listed = current or 1
        self.show(view.list_lines(self.debugger, self.listed, current, self.look))

    def variables(self, rest: str) -> None:
        self.show(view.variable_lines(self.debugger.variables(self.level), self.look))

    # --- breakpoints

    def line_number(self, text: str) -> int:
        lines = self.debugger.program.source.text.rstrip().count("\n") + 1
        if not text.isdecimal() or not 1 <= int(text) <= lines:
            raise UsageFault(f"{text} is no line of the program", hint=f"its lines are 1 to {lines}")
        return int(text)

    def break_(self, rest: str) -> None:
        if not rest:
            self.show(view.breakpoint_lines(self.debugger, self.look))
            return
        where, _, condition = rest.partition(" ")
        condition = condition.strip()
        test: Expression | None = None
        if condition:
            if not condition.startswith("if "):
                raise UsageFault(f"{condition!r} is no condition", hint=f"as in break {where} if i == 2")
            test = self.expression(condition[3:], "break", "7 if i == 2")
        lines, line, function = self.debugger.lines, 0, ""
        if where.isidentifier():
            if where not in lines.functions:
                close, known = nearest(where, lines.functions), ", ".join(lines.functions)
                raise UsageFault(
                    f"the program defines no function {where}",
                    hint=f"did you mean break {close}?" if close else f"its functions: {known}" if known else None,
                )
            function = where
        else:
            wanted = self.line_number(where)
            line = lines.next_line(wanted)
            if not line:
                raise UsageFault(f"no statement begins on line {wanted} or after it")
        made = self.debugger.add_breakpoint(line, function, test)
        at = f"line {made.line}" if made.line else f"function {made.function}"
        self.show([[(f"breakpoint {made.number} at {at}", "hint")]])

    def watch(self, rest: str) -> None:
        expression = self.expression(rest, "watch", "w.grad")
        one = self.debugger.add_watch(expression, self.level)
        value = view.stored_text(one.value, self.look.width // 2, self.look)
        self.show([[(f"watch {one.number}: ", "hint"), (f"{expression.text} = ", "name"), (value, "value")]])

    def delete(self, rest: str) -> None:
        if not rest:
            self.debugger.breakpoints.clear()
            self.debugger.watches.all.clear()
            return
        if not rest.isdecimal() or not self.debugger.remove(int(rest)):
            raise UsageFault(f"there is no breakpoint or watch {rest}", hint="break alone lists them")

    def help(self, rest: str) -> None:
        commands = [find(rest)] if rest else TABLE
        self.show(view.help_lines([(c.usage, c.about) for c in commands], self.look))

    # --- completion

    def complete(self, before: str) -> list[str]:
        """The words that may stand at the end of a line."""
        from autodiff_cli.cli.words import attribute_words

        head, _, rest = before.partition(" ")
        if not _ or head == "help":
            return [c.name for c in TABLE]
        if find_or_none(head) not in (None, *map(find_or_none, REPEATED)):
            seen = [*self.debugger.variables(self.debugger.top), *self.debugger.variables(self.level)]
            library = self.debugger.compiler.library
            return attribute_words(rest, library) or sorted({*dict(seen), *self.debugger.lines.functions, *library})
        return []


class Command:
    """A command of the debugger: its name, its short forms, how it is written, a line about it."""

    __slots__ = ("about", "name", "run", "short", "usage")

    def __init__(self, usage: str, about: str, run: Callable[[Console, str], Order | None], *short: str) -> None:
        self.usage = f"{usage} ({', '.join(short)})" if short else usage
        self.name = usage.split(" ")[0]
        self.about = about
        self.run = run
        self.short = short


def _order(what: str) -> Callable[[Console, str], Order | None]:
    return lambda console, rest: console.order(what, rest)


TABLE: tuple[Command, ...] = (
    Command("step [N]", "to the next statement, into calls and backward passes", _order(STEP), "s"),
    Command("next [N]", "to the next statement of this function", _order(NEXT), "n"),
    Command("finish", "to the end of this function, or of this backward pass", _order(FINISH), "f"),
    Command("continue", "to the next breakpoint, or to the end", _order(CONTINUE), "c"),
    Command("back [N]", "back one step: the program is run again up to there", _order(BACK)),
    Command("restart", "back to the first statement", _order(RESTART)),
    Command("break [LINE|NAME [if EXPR]]", "stop at a line or a function; alone: list them", Console.break_, "b"),
    Command("delete [N]", "forget a breakpoint or a watch; alone: all of them", Console.delete, "d"),
    Command("watch EXPR", "tell when a value changes", Console.watch),
    Command("print EXPR, ...", "values, as seen from here", Console.print_, "p"),
    Command("grad NAME", "the gradient so far", Console.grad),
    Command("graph [NAME]", "the graph so far", Console.graph),
    Command("locals", "the variables of this function", Console.variables, "vars"),
    Command("where", "the calls that led here", Console.where, "w", "bt"),
    Command("up", "look from the call around: at its variables", Console.up, "u"),
    Command("down", "look from the call inside again", Console.down),
    Command("list [LINE]", "the program around here", Console.list_, "l"),
    Command("help [COMMAND]", "this list", Console.help, "h"),
    Command("quit", "end the debugger", _order(QUIT), "q", "exit"),
)
BY_WORD: dict[str, Command] = {word: command for command in TABLE for word in (command.name, *command.short)}


def _words(names: Iterable[str]) -> set[str]:
    return {word for word, command in BY_WORD.items() if command.name in names}


def find_or_none(word: str) -> Command | None:
    """The command that a word stands for: a name, a short form, or the beginning of one name alone."""
    if word in BY_WORD:
        return BY_WORD[word]
    begun = [command for command in TABLE if word and command.name.startswith(word)]
    return begun[0] if len(begun) == 1 else None


def find(word: str) -> Command:
    """As `find_or_none`.

    Raises:
        UsageFault: there is no such command.
    """
    command = find_or_none(word)
    if command is None:
        close = nearest(word, [c.name for c in TABLE])
        hint = f"did you mean {close}?" if close else f"help lists the commands; a value is shown by: print {word}"
        raise UsageFault(f"there is no command {word}", hint=hint)
    return command
