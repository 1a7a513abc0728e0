"""`for` and `while`. Each turn burns fuel; where views will be drawn, a turn that made nodes is noted."""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.tape import tape
from autodiff_cli.errors import Fault
from autodiff_cli.language import nodes
from autodiff_cli.runtime.assignment import own_slot, store
from autodiff_cli.runtime.compiler import Compiler, statement
from autodiff_cli.runtime.expressions import condition, iterate
from autodiff_cli.runtime.locate import located
from autodiff_cli.runtime.objects import BREAK, CONTINUE, Frame, Run
from autodiff_cli.runtime.state import LoopRun, State


@statement(nodes.For)
def for_stmt(c: Compiler, s: nodes.For) -> Run:
    iterable, put, body = c.expr(s.iterable), store(c, s.target), c.block(s.body)
    slot = own_slot(c, s.target)
    orelse = c.block(s.orelse) if s.orelse else None
    state, weight, log = c.state, len(s.body) + 1, c.log

    def run(f: Frame) -> Any:
        source = _stepping(iterate(iterable(f), s.iterable), s.iterable)
        turns = LoopRun(s, tape.seq) if log and tape.seq < state.log_until else None
        count, mark = 0, tape.seq
        for item in source:
            state.fuel -= weight
            if state.fuel < 0:
                state.refuel(s)
            if slot is not None:
                f[slot] = item
            else:
                put(f, item)
            signal = body(f)
            if turns is not None:
                count += 1
                if tape.seq != mark:
                    mark = tape.seq
                    turns = note_turn(state, turns, count)
            if signal is not None and signal is not CONTINUE:
                if signal is BREAK:
                    break
                close(state, turns)
                return signal
        else:
            close(state, turns)
            return None if orelse is None else orelse(f)
        close(state, turns)
        return None

    return run


def _stepping(source: Any, site: Any) -> Any:
    """An iterator whose own errors have a place; those of lists and ranges have none to give."""
    if type(source).__name__ in _SAFE:
        return source
    return _located_steps(source, site)


_SAFE = frozenset(("range_iterator", "list_iterator", "tuple_iterator", "enumerate", "zip"))


def _located_steps(source: Any, site: Any) -> Any:
    while True:
        try:
            item = next(source)
        except StopIteration:
            return
        except Fault:
            raise
        except Exception as e:
            raise located(e, site) from None
        yield item


@statement(nodes.While)
def while_stmt(c: Compiler, s: nodes.While) -> Run:
    test, body = c.decision(s, condition(c, s.test)), c.block(s.body)
    endless = type(s.test) is nodes.Constant and bool(s.test.value) and c.watch is None
    orelse = c.block(s.orelse) if s.orelse else None
    state, weight, log = c.state, len(s.body) + 1, c.log

    def run(f: Frame) -> Any:
        turns = LoopRun(s, tape.seq) if log and tape.seq < state.log_until else None
        count, mark = 0, tape.seq
        while endless or test(f):
            state.fuel -= weight
            if state.fuel < 0:
                state.refuel(s)
            signal = body(f)
            if turns is not None:
                count += 1
                if tape.seq != mark:
                    mark = tape.seq
                    turns = note_turn(state, turns, count)
            if signal is not None and signal is not CONTINUE:
                close(state, turns)
                return None if signal is BREAK else signal
        close(state, turns)
        return None if orelse is None else orelse(f)

    return run


def note_turn(state: State, turns: LoopRun, count: int) -> LoopRun | None:
    """Note the end of a turn that made nodes; None, once there are more nodes than any view will show."""
    turns.ends.append(tape.seq)
    turns.turns.append(count)
    if tape.seq < state.log_until:
        return turns
    close(state, turns)
    return None


def close(state: State, turns: LoopRun | None) -> None:
    """Keep the notes of a loop that made nodes."""
    if turns is not None and turns.ends:
        state.loops.append(turns)
