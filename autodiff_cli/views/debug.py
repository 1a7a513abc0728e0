"""What the debugger shows: where the program waits, its lines, its variables, the stack, a node of a backward walk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from autodiff_cli.runtime.debugger import Debugger
from autodiff_cli.runtime.stops import CALL, DONE, END, FAILED, WALK, Level, Stop, name_of
from autodiff_cli.runtime.watches import NO_VALUE, Watched
from autodiff_cli.source import Source
from autodiff_cli.views.numbers import array_text
from autodiff_cli.views.text import Column, Line, Look, cells, clip, clip_line, line_cells, one_line, table, wrapped_row

AROUND = 5  # lines before and after the current one that `list` shows
INDENT = "  "


def raw_text(raw: Any, room: int, look: Look) -> str:
    """A raw value in one line of at most `room` columns: with fewer digits where an array would not fit else."""
    text = ""
    for digits in (None, 6, 3) if not getattr(raw, "ndim", 0) else (6, 3):
        text = array_text(raw, max(room, 12), ofmt=look.ofmt, digits=digits, ascii_only=not look.boxes)
        if look.glyphs.ellipsis not in text:
            break
    return text


def value_text(value: Any) -> str:
    """A value as the language prints it, in one line."""
    text = repr(value)
    return " ".join(text.split()) if "\n" in text else text


def printed_lines(name: str | None, value: Any) -> list[Line]:
    """`h = tensor(...)`, as PyTorch prints it; more lines are below one another."""
    lead = "" if name is None else f"{name} = "
    first, *rest = repr(value).split("\n")
    hanging = " " * len(lead)
    return [[(lead, "name"), (first, "value")], *([(hanging, ""), (line, "value")] for line in rest)]


# --- where


def place_of(debugger: Debugger, level: Level, look: Look) -> Line:
    """`model.ad:7 in f`; of a long path the last part alone."""
    name = debugger.program.source.name
    if cells(name) > look.width // 3:
        name = name.rsplit("/", 1)[-1]
    place: Line = [(f"{name}:{level.line}", "place")]
    function = name_of(level.scope)
    return [*place, (f" in {function}", "quiet")] if function else place


def statement_text(source: Source, level: Level) -> str:
    """The statement's first line."""
    assert level.statement is not None
    return source.slice(level.statement.span).split("\n")[0].rstrip()


def stop_lines(debugger: Debugger, stop: Stop, look: Look) -> list[Line]:
    """Where the program waits, and why."""
    lines: list[Line] = [[("interrupted", "hint")]] if stop.interrupted else []
    if stop.returned is not None:
        name, value = stop.returned
        lines.append([(f"{name}() returned ", "quiet"), (value_text(value), "value")])
    if stop.breakpoint is not None:
        lines.append([(f"breakpoint {stop.breakpoint.number}", "hint")])
    if stop.kind == CALL:
        lines.append([("breakpoint() in the program", "hint")])
    if stop.kind == WALK:
        return [*lines, *walk_lines(debugger, stop, look)]
    if stop.kind == END:
        return [[("the end of the program; step goes through its backward pass", "quiet")]]
    if stop.kind == DONE:
        from autodiff_cli.views.report import run_lines

        return [[("done", "quiet")], *run_lines(stop.outcome, look, graph="none")]
    if stop.kind == FAILED:
        return [[("the program has failed (back goes to the statement that failed)", "failed")]]
    return [*lines, *_located(debugger, stop.stack[-1], look)]


def _located(debugger: Debugger, level: Level, look: Look) -> list[Line]:
    place = place_of(debugger, level, look)
    used = sum(cells(text) for text, _ in place)
    text = clip(statement_text(debugger.program.source, level), look.width - used - 2, look.glyphs.ellipsis)
    return [[*place, ("  ", ""), (text, "")]]


def walk_lines(debugger: Debugger, stop: Stop, look: Look) -> list[Line]:
    """A node of a backward walk: its gradient, and what its operands got."""
    walked = stop.walked
    assert walked is not None
    describer = debugger.describer(_code(debugger, stop))
    room = look.width // 3

    def called(node: Any) -> str:
        told = describer.describe(node)
        turn = f" (turn {', '.join(str(turn) for _, turn in told.loops)})" if told.loops else ""
        text = one_line(told.name or told.text or "(a value)")
        return clip(text, room - len(turn), look.glyphs.ellipsis) + turn

    lines: list[Line] = [
        [
            (f"backward {walked.number}/{walked.size}: ", "quiet"),
            (called(walked.node), "name"),
            (INDENT, ""),
            (walked.node.op.grad_fn or walked.node.op.name, "operation"),
            (f"{INDENT}gradient ", "quiet"),
        ]
    ]
    left = look.width - line_cells(lines[0])
    if left < 16:  # a long name: the gradient has a line of its own
        lines.append([(f"{INDENT}gradient ", "quiet")])
        lines[0] = lines[0][:-1]
        left = look.width - line_cells(lines[1])
    lines[-1].append((raw_text(walked.gradient, left, look), "gradient"))
    for i, (operand, share, total) in enumerate(walked.sent):
        label = called(operand)
        if label == called(walked.node):  # a part of what the node itself stands for
            label += f" ({operand.op.grad_fn})"
        line: Line = [(f"{INDENT}{label}", "name"), (" += ", "quiet")]
        told = total is not None and not _same(share, total) and all(x is not operand for x, *_ in walked.sent[i + 1 :])
        left = look.width - line_cells(line)
        line.append((raw_text(share, (left - 6) // 2 if told else left, look), "gradient"))
        if told:
            line += [(", now ", "quiet"), (raw_text(total, look.width - line_cells(line) - 6, look), "gradient")]
        lines.append(line)
    return lines


def _same(a: Any, b: Any) -> bool:
    return bool((a == b).all()) if hasattr(a, "shape") and a.shape else bool(a == b)


def _code(debugger: Debugger, stop: Stop) -> Level:
    return stop.stack[-1] if stop.stack else debugger.top


def where_lines(debugger: Debugger, stop: Stop, look: Look, height: int = 0) -> list[Line]:
    """The call stack, outermost first: the statement that each function is at. `height`: where `up` has led."""
    lines: list[Line] = []
    frames = stop.frames
    for i, level in enumerate(frames):
        mark = "> " if height and i == len(frames) - 1 - height else INDENT
        lines += [[(mark, "hint"), *line] for line in frame_lines(debugger, stop, level, look)]
    return lines or [[(f"{INDENT}the end of the program", "quiet")]]


def frame_lines(debugger: Debugger, stop: Stop, level: Level, look: Look) -> list[Line]:
    """One level of the stack."""
    if level.statement is not None:
        return _located(debugger, level, look)
    walked = stop.walked if level is stop.stack[-1] else None
    at = "" if walked is None else f" (node {walked.number} of {walked.size})"
    return [[(f"a backward pass{at}", "quiet")]]


# --- lines, variables


def list_lines(debugger: Debugger, around: int, current: int, look: Look) -> list[Line]:
    """The program around a line, with the current line and the breakpoints marked."""
    source = debugger.program.source
    last = source.text.rstrip().count("\n") + 1
    first = max(1, min(around, last) - AROUND)
    end = min(last, first + 2 * AROUND)
    stops = {one.line: one.number for one in debugger.breakpoints.values() if one.line}
    wide = len(str(end))
    lines: list[Line] = []
    for number in range(first, end + 1):
        mark = "->" if number == current else "  "
        stop = "*" if number in stops else " "
        text = clip(source.line(number).expandtabs(), look.width - wide - 5, look.glyphs.ellipsis)
        role = "name" if number == current else ""
        lines.append([(f"{mark}{stop}", "hint"), (f"{number:>{wide}}  ", "quiet"), (text, role)])
    return lines


def variable_lines(variables: Sequence[tuple[str, Any]], look: Look) -> list[Line]:
    """Names and values, one a line."""
    if not variables:
        return [[("no variables", "quiet")]]
    wide = max(len(name) for name, _ in variables)
    room = look.width - wide - 3
    return [
        [(f"{name:<{wide}}", "name"), (" = ", ""), (clip(value_text(value), room, look.glyphs.ellipsis), "value")]
        for name, value in variables
    ]


def gradient_line(name: str, gradient: Any, partial: bool, look: Look) -> Line:
    """The gradient of a name: a number, or that there is none (yet)."""
    line: Line = [(f"gradient of {name} = ", "name")]
    if gradient is None:
        return [*line, ("none yet" if partial else "none: no backward pass has reached it", "quiet")]
    text = raw_text(gradient, look.width - len(name) - 15, look)
    return [*line, (text, "gradient"), *([(" so far", "quiet")] if partial else [])]


# --- breakpoints, watches, help


def breakpoint_lines(debugger: Debugger, look: Look) -> list[Line]:
    """The breakpoints and watched expressions, by number."""
    lines: list[Line] = []
    for one in debugger.breakpoints.values():
        at = f"line {one.line}" if one.line else f"function {one.function}"
        when = f" if {one.condition.text}" if one.condition is not None else ""
        lines.append([(f"{one.number}: ", "hint"), (f"break at {at}{when}", "")])
    for watched in debugger.watches.all.values():
        room = look.width // 2
        value = stored_text(watched.value, room, look)
        lines.append(
            [(f"{watched.number}: ", "hint"), (f"watch {watched.expression.text}", ""), (f" = {value}", "value")]
        )
    return lines or [[("no breakpoints, nothing watched", "quiet")]]


def stored_text(value: Any, room: int, look: Look) -> str:
    """A value that a watch has kept."""
    if value is NO_VALUE:
        return "(no value)"
    return clip(value, room, look.glyphs.ellipsis) if isinstance(value, str) else raw_text(value, room, look)


def differ(before: Any, after: Any, look: Look) -> bool:
    """Whether there is something to tell: a number that has only become a tensor looks as before."""
    if getattr(before, "size", 1) != 1 or getattr(after, "size", 1) != 1:
        return True
    return stored_text(before, 40, look) != stored_text(after, 40, look)


def change_line(debugger: Debugger, one: Watched, before: Any, level: Level, look: Look) -> Line:
    """A watched expression has changed: from what to what, and by which statement."""
    room = look.width // 4
    line: Line = [(f"watch {one.expression.text}: ", "hint"), (stored_text(before, room, look), "quiet")]
    line += [(" -> ", ""), (stored_text(one.value, room, look), "value"), ("  by ", "quiet")]
    return clip_line(line + _located(debugger, level, look)[0], look.width, look.glyphs.ellipsis)


def help_lines(rows: Iterable[tuple[str, str]], look: Look) -> list[Line]:
    """The commands, each with its line."""
    told = [(usage, about) for usage, about in rows]
    room = max(20, look.width - max(cells(usage) for usage, _ in told) - 2)
    shown = [part for usage, about in told for part in wrapped_row([[(usage, "name")], [(about, "")]], {1: room})]
    return table((Column(""), Column("", least=20)), shown, look.width, look.glyphs.ellipsis)
