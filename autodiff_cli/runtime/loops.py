"""`for` and `while`. Each turn burns fuel; where views will be drawn, a turn that made nodes is noted."""

from __future__ import annotations

from typing import Any

from autodiff_cli.engine.tape import tape
from autodiff_cli.errors import Fault
from autodiff_cli.language import nodes
from autodiff_cli.runtime.assignment import own_slot, store
from autodiff_cli.runtime.compiler import Compiler, statement
from autodiff_cli.runtime.expressions import condition, iterate
from autodiff_cli.runtime.heat import Heat
from autodiff_cli.runtime.locate import located
from autodiff_cli.runtime.objects import BREAK, CONTINUE, Frame, Run
from autodiff_cli.runtime.state import LoopRun, State


@statement(nodes.For)
def for_stmt(c: Compiler, s: nodes.For) -> Run:
    iterable, put, body = c.iteration(s, c.expr(s.iterable)), store(c, s.target), c.block(s.body)
    slot = own_slot(c, s.target)
    orelse = c.block(s.orelse) if s.orelse else None
    state, weight, log, heat = c.state, len(s.body) + 1, c.log, _heat(c, s)

    def run(f: Frame) -> Any:
        source = stepping(iterate(iterable(f), s.iterable), s.iterable)
        turns = LoopRun(s, tape.seq) if log and tape.seq < state.log_until else None
        if turns is None and heat is not None and heat.code is not None:
            return heat.code(f, source)
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
            if turns is None and heat is not None and heat.up() is not None:
                assert heat.code is not None
                return heat.code(f, source)
        else:
            close(state, turns)
            return None if orelse is None else orelse(f)
        close(state, turns)
        return None

    return run


def stepping(source: Any, site: Any) -> Any:
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
    state, weight, log, heat = c.state, len(s.body) + 1, c.log, _heat(c, s)

    def run(f: Frame) -> Any:
        turns = LoopRun(s, tape.seq) if log and tape.seq < state.log_until else None
        if turns is None and heat is not None and heat.code is not None:
            return heat.code(f)
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
            if turns is None and heat is not None and heat.up() is not None:
                assert heat.code is not None
                return heat.code(f)
        close(state, turns)
        return None if orelse is None else orelse(f)

    return run


def _heat(c: Compiler, s: nodes.For | nodes.While) -> Heat | None:
    """The count of a loop's turns, if it may be written out: nobody follows the run, and there is no `else`."""
    if c.watch is not None or s.orelse:
        return None
    scope = c.scope

    def written() -> Any:
        from autodiff_cli.runtime.hot import written_loop  # few programs have loops that go round that often

        return written_loop(c, s, scope)

    return Heat(written)


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
