"""The debugger's mechanics: where it waits, how it goes on and back, what it sees; and that it disturbs nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autodiff_cli import Program
from autodiff_cli.errors import Fault, NameFault, SyntaxFault
from autodiff_cli.runtime.debugger import Debugger
from autodiff_cli.runtime.evaluation import Expression
from autodiff_cli.runtime.state import Limits
from autodiff_cli.runtime.stops import DONE, END, FAILED, LINE, WALK, Stop, gradient_now

LOOP = """\
def f(a):
    c = a * 2
    return c + 1
x: input = 3.0
s = x * 0
for i in range(4):
    s = s + f(x) * i
z = s ** 2
"""


class Script:
    """Gives orders from a list, and keeps what it saw at each stop."""

    def __init__(self, text: str, *orders: Any) -> None:
        self.program = Program.load(text)
        self.orders = list(orders)
        self.seen: list[Any] = []
        self.stops: list[tuple[Any, ...]] = []
        self.printed: list[str] = []
        self.debugger = Debugger(
            self.program, self.control, lambda one, before, level: self.seen.append((before, one.value))
        )
        self.outcome: Any = None

    def control(self, stop: Stop) -> tuple[str, int]:
        at = stop.stack[-1].line if stop.stack else 0
        self.stops.append((stop.kind, at))
        self.outcome = stop.outcome
        while self.orders:
            order = self.orders.pop(0)
            if isinstance(order, Callable):
                self.seen.append(order(self.debugger, stop))
                continue
            what, _, count = order.partition(" ")
            return what, int(count or 1)
        return "quit", 1

    def run(self) -> Script:
        self.debugger.run(
            lambda observers, write: self.program.run(observers=observers, write=write), self.printed.append
        )
        return self


def look(text: str) -> Callable[[Debugger, Stop], Any]:
    """What an expression is at a stop, as the language prints it."""

    def run(debugger: Debugger, stop: Stop) -> str:
        level = stop.stack[-1] if stop.stack else debugger.top
        return repr(debugger.evaluate(Expression(text, debugger.program.source, "<test>"), level)[0])

    return run


def break_at(line: int, condition: str | None = None) -> Callable[[Debugger, Stop], Any]:
    def run(debugger: Debugger, stop: Stop) -> None:
        test = None if condition is None else Expression(condition, debugger.program.source, "<test>")
        debugger.add_breakpoint(line, "", test)

    return run


def lines(script: Script) -> list[int]:
    return [line for _, line in script.stops]


def test_step_goes_into_calls_and_next_over_them() -> None:
    assert lines(Script(LOOP, *["step"] * 7).run()) == [1, 4, 5, 6, 7, 2, 3, 6]
    assert lines(Script(LOOP, *["next"] * 6).run()) == [1, 4, 5, 6, 7, 6, 7]
    assert lines(Script(LOOP, "step 5", "step 2").run()) == [1, 2, 6]


def test_finish_ends_the_function_and_knows_what_it_returned() -> None:
    script = Script(LOOP, "step 5", "finish", lambda d, stop: repr(stop.returned[1])).run()
    assert lines(script) == [1, 2, 6]
    assert script.seen == ["tensor(7., grad_fn=<AddBackward0>)"]


def test_a_loop_stops_at_its_header_in_every_turn_and_at_its_end_as_pdb_does() -> None:
    text = "t = 0\nfor i in range(2):\n    t += i\nwhile t > 0:\n    t -= 1\nt"
    assert lines(Script(text, *["step"] * 12).run()) == [1, 2, 3, 2, 3, 2, 4, 5, 4, 6, 0]
    script = Script(text, break_at(2), *["continue", look("t")] * 3, "continue").run()
    assert lines(script) == [1, 2, 2, 2, 0] and script.seen[1:] == ["0", "0", "1"]
    script = Script(text, break_at(4, "t == 0"), "continue", look("t")).run()
    assert lines(script) == [1, 4] and script.seen[1:] == ["0"]


def test_a_lambda_is_a_level_with_names_of_its_own() -> None:
    text = "k = 3\nf = lambda a, b=2: a*b + k\nu = f(5)\nu"
    script = Script(text, "step 3", look("a"), look("b"), look("k"), "finish", lambda d, s: s.returned).run()
    assert lines(script) == [1, 2, 4]
    assert script.seen == ["5", "2", "3", ("<lambda>", 13)]


def test_a_condition_picks_the_turn() -> None:
    script = Script(LOOP, break_at(7, "i == 2"), "continue", look("i"), look("s"), "continue").run()
    assert script.stops == [(LINE, 1), (LINE, 7), (END, 0)]
    assert script.seen[1:] == ["2", "tensor(7., grad_fn=<AddBackward0>)"]


def test_a_condition_on_what_has_no_value_yet_is_false() -> None:
    early = Script("a = 1\nb = 2\nc = 3", break_at(2, "c == 3"), "continue").run()
    assert early.stops[-1][0] == DONE


def test_a_condition_on_a_name_that_is_nowhere_is_refused() -> None:
    def refused(debugger: Debugger, stop: Stop) -> None:
        with pytest.raises(NameFault, match="there is no q"):
            break_at(7, "q == 2")(debugger, stop)
        assert not debugger.breakpoints

    Script(LOOP, refused).run()


def test_statements_on_one_line_are_one_place() -> None:
    script = Script("a = 1; b = 2\nc = 3; d = 4; e = 5", break_at(2), "continue", "continue").run()
    assert script.stops == [(LINE, 1), (LINE, 2), (DONE, 0)]


def test_time_stands_still_while_somebody_looks() -> None:
    from time import sleep

    script = Script("a = 1\nb = 2", lambda d, stop: sleep(0.3), "continue")
    script.debugger.run(
        lambda observers, write: script.program.run(observers=observers, limits=Limits(timeout=0.2)),
        script.printed.append,
    )
    assert script.stops[-1][0] == DONE


def test_a_breakpoint_on_a_function_stops_at_every_call() -> None:
    script = Script(LOOP, lambda d, stop: d.add_breakpoint(0, "f", None), *["continue"] * 3)
    assert lines(script.run()) == [1, 2, 2, 2]


def test_back_is_exact_at_every_step() -> None:
    forward = Script(LOOP, *["step"] * 40).run()
    assert len(forward.stops) > 30 and (WALK, 0) in forward.stops
    last = len(forward.stops) - 1
    back = Script(LOOP, *["step"] * last, *["back"] * last).run()
    assert back.stops == [*forward.stops, *reversed(forward.stops[:-1])]


def test_back_gives_the_values_of_then_random_numbers_too() -> None:
    text = "x = torch.rand(2)\nprint(x)\ny = torch.rand(2)\nz = y.sum()"
    script = Script(text, "step 3", look("x"), look("y"), "back", "step", look("x"), look("y"), "restart").run()
    assert script.seen[:2] == script.seen[2:]
    assert lines(script) == [1, 4, 3, 4, 1]
    assert len(script.printed) == 1  # what is repeated on the way back is not printed again


def test_what_is_run_again_after_going_back_prints_again() -> None:
    script = Script("print(1)\nprint(2)\nprint(3)", "step 2", "back 2", "step 2").run()
    assert script.printed == ["1\n", "2\n", "1\n", "2\n"]


def test_an_interrupt_on_the_way_back_waits_where_it_comes() -> None:
    script = Script("a = 1\nprint(a)\na = 2\na = 3\na = 4", "step 4", "back", look("a"))

    def interrupting(write: Callable[[str], None]) -> Callable[[str], None]:
        def put(text: str) -> None:
            script.debugger.interrupted = len(script.stops) > 1
            write(text)

        return put

    script.debugger.run(
        lambda observers, write: script.program.run(observers=observers, write=interrupting(write)),
        script.printed.append,
    )
    assert lines(script) == [1, 5, 3]
    assert script.seen == ["1"]


def test_locals_closures_and_globals_are_seen() -> None:
    text = "k = 5\ndef outer(a):\n    def inner(b):\n        return a + b + k\n    return inner(2)\nouter(1)"
    script = Script(
        text, break_at(4), "continue", look("(a, b, k)"), look("[a*q for q in [1, b]]"), look("(lambda t: t + a)(1)")
    )
    assert script.run().seen[1:] == ["(1, 2, 5)", "[1, 2]", "2"]
    captured = Script(text, break_at(5), "continue", look("a"), lambda d, stop: dict(d.variables(stop.stack[-1]))["a"])
    assert captured.run().seen[1:] == ["1", 1]  # in the function that owns what an inner one captures


def test_where_is_the_calls_that_are_open() -> None:
    text = "def f(n):\n    if n == 0:\n        return 1\n    return f(n - 1)\nf(2)"
    depths = lambda d, stop: [(level.line, level.depth) for level in stop.stack]
    script = Script(text, break_at(3), "continue", depths).run()
    assert script.seen[1] == [(5, 1), (4, 2), (4, 3), (2, 4), (3, 4)]


def test_looking_does_not_disturb_the_run() -> None:
    plain = Program.load(LOOP + "r = torch.rand(1)").run()
    spy = [look("torch.autograd.grad(f(x), x)"), look("torch.rand(3)"), look("x.sin()")]
    script = Script(
        LOOP + "r = torch.rand(1)", "step 2", *[p for _ in range(8) for p in (*spy, "step")], "continue", "continue"
    )
    script.debugger.run(
        lambda observers, write: script.program.run(observers=observers, of=["z", "r"]), script.printed.append
    )
    assert script.outcome.outputs[0].value == plain_value(plain, "z")
    assert script.outcome.outputs[1].value == plain.value


def plain_value(run: Any, name: str) -> Any:
    return next(node.value for node in Program.load(LOOP).run().graph.nodes if node.name == name)


def test_what_changes_the_program_all_the_same_is_told() -> None:
    def warnings(text: str) -> Callable[[Debugger, Stop], Any]:
        def run(debugger: Debugger, stop: Stop) -> Any:
            expression = Expression(text, debugger.program.source, "<test>")
            debugger.evaluate(expression, debugger.top)
            return len(expression.warnings)

        return run

    script = Script(
        LOOP, "step 3", warnings("f(x).backward()"), warnings("s.detach().add_(1)"), warnings("x + 1")
    ).run()
    assert script.seen == [1, 1, 0]


def test_faults_of_an_expression_have_their_place_in_it_or_in_the_program() -> None:
    def place(text: str) -> Callable[[Debugger, Stop], Any]:
        def run(debugger: Debugger, stop: Stop) -> Any:
            with pytest.raises(Fault) as caught:
                look(text)(debugger, stop)
            fault = caught.value
            return fault.source.name, fault.source.slice(fault.span)

        return run

    script = Script(LOOP, "step 3", place("x + nothing"), place("x + [1]"), place("f([1], 2)"), place("f({})")).run()
    assert script.seen == [
        ("<test>", "nothing"),
        ("<test>", "x + [1]"),
        ("<test>", "f([1], 2)"),
        ("<command line>", "a * 2"),
    ]


@pytest.mark.parametrize("text", ["s = 1", "", "for i in x: pass", "1 +", "a; b"])
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(SyntaxFault):
        Expression(text, Program.load(LOOP).source, "<test>")


def test_a_backward_pass_is_gone_through_node_by_node() -> None:
    nodes: list[Any] = []

    def node(d: Debugger, stop: Stop) -> None:
        w = stop.walked
        nodes.append((w.number, w.size, w.node.op.grad_fn, w.gradient, [(share, total) for _, share, total in w.sent]))

    script = Script("x: input = 3.0\ny = x * x + x", "continue", "step", node, "step", node, "step").run()
    assert [kind for kind, _ in script.stops] == [LINE, END, WALK, WALK, DONE]
    assert nodes == [
        (1, 2, "AddBackward0", 1.0, [(1.0, 1.0), (1.0, 1.0)]),
        (2, 2, "MulBackward0", 1.0, [(3.0, 7.0), (3.0, 7.0)]),
    ]


def test_a_backward_call_is_one_step_for_next_and_many_for_step() -> None:
    text = "x = tensor(3.0, requires_grad=True)\nz = (x * x).sin()\nz.backward()\ng = x.grad"
    assert Script(text, "step 2", "next").run().stops[-1] == (LINE, 4)
    inside = Script(
        text,
        "step 2",
        "step",
        lambda d, s: gradient_now(d.evaluate(Expression("x", d.program.source, ""), d.top)[0]),
        "step",
        "back",
        "finish",
    )
    inside.run()
    assert [kind for kind, _ in inside.stops] == [LINE, LINE, WALK, WALK, WALK, LINE]
    assert inside.seen == [(None, True)]


def test_gradients_while_they_accumulate() -> None:
    def of(name: str) -> Callable[[Debugger, Stop], Any]:
        return lambda d, stop: gradient_now(d.evaluate(Expression(name, d.program.source, ""), d.top)[0])

    script = Script(
        "x: input = 3.0\ny = x * 2\nz = y * y",
        "continue",
        "step",
        of("y"),
        of("x"),
        "step",
        of("y"),
        of("x"),
        "step",
        of("x"),
    )
    assert script.run().seen == [(12.0, True), (None, True), (12.0, False), (24.0, True), (24.0, False)]


def test_a_failure_is_a_stop_with_its_stack_and_back_goes_to_the_statement() -> None:
    text = "def g(t):\n    u = t * 2\n    return u / 0\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    k = 1\ng(3)"
    script = Script(
        text, "continue", lambda d, s: [level.line for level in s.stack], look("u"), "back", look("u")
    ).run()
    assert script.stops == [(LINE, 1), (FAILED, 3), (LINE, 3)]
    assert script.seen == [[8, 3], "6", "6"]


def test_a_failing_backward_that_the_program_catches_leaves_nothing_behind() -> None:
    text = (
        "x = tensor([1.0, 2.0], requires_grad=True)\ny = x.exp()\ny.add_(1)\ntry:\n    y.sum().backward()\n"
        "except RuntimeError:\n    pass\n(x * x).sum().backward()\nx.grad"
    )
    depths: Any = lambda d, stop: [level.line for level in stop.stack]
    script = Script(text, break_at(9), "continue", depths, look("x.grad")).run()
    assert script.seen[1:] == [[9], "tensor([2., 4.])"]
    caught = Script(text, break_at(8), "continue", depths, "step", depths).run()
    assert caught.seen[1:] == [[8], [8, 8]]
    assert Script(
        text,
        break_at(7),
        "continue",
        lambda d, stop: gradient_now(d.evaluate(Expression("x", d.program.source, ""), d.top)[0]),
    ).run().seen[1:] == [(None, False)]


def test_watches_tell_changes_also_in_place_and_only_those() -> None:
    text = "w = tensor([1.0, 2.0])\nfor i in range(3):\n    w[0] = w[0] + (1e-9 if i == 1 else 0)\nw = 5"
    watch = lambda d, stop: d.add_watch(Expression("w", d.program.source, "<watch>"), d.top) and None
    script = Script(text, "step", watch, "continue").run()
    changes = [seen for seen in script.seen if seen is not None]
    assert [(list(before), after if isinstance(after, str) else list(after)) for before, after in changes] == [
        ([1.0, 2.0], [1.000000001, 2.0]),
        ([1.000000001, 2.0], "5"),
    ]


def test_breakpoint_in_the_program_stops_there_and_elsewhere_it_does_nothing() -> None:
    text = "a = 1\nbreakpoint()\na = 2"
    script = Script(text, "continue", look("a"), "continue").run()
    assert script.seen == ["1"]
    assert Program.load(text).run().value == 2


def test_a_debugged_run_gives_what_a_plain_one_gives() -> None:
    plain = Program.load(LOOP).run()
    script = Script(LOOP, *["step"] * 60).run()
    assert script.stops[-1][0] == DONE
    assert (script.outcome.value, script.outcome.gradients) == (plain.value, plain.gradients)


SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.mark.parametrize(
    "name", ["basics/double_backward", "control/kepler", "learning/recurrent_lengths", "systems/kalman"]
)
def test_stepping_through_a_sample_changes_nothing_in_it(name: str) -> None:
    text = (SAMPLES / f"{name}.ad").read_text(encoding="utf-8")
    plain = Program.load(text).run()
    script = Script(text, *["step"] * 2_000).run()
    assert script.stops[-1][0] == DONE
    assert repr((script.outcome.value, script.outcome.gradients)) == repr((plain.value, plain.gradients))
    assert script.printed == plain.printed


@pytest.mark.parametrize("name", sorted(path.stem for path in SAMPLES.rglob("*.ad")))
def test_back_gives_the_states_of_then_in_every_sample(name: str) -> None:
    """States at steps of a run forward, and again when going back from one to the one before; also what is printed."""
    (file,) = SAMPLES.rglob(f"{name}.ad")
    text = file.read_text(encoding="utf-8")

    def state(debugger: Debugger, stop: Stop) -> Any:
        level = stop.stack[-1] if stop.stack else debugger.top
        leaves = [(n, repr(v)) for n, v in debugger.variables(level) if "object at" not in repr(v)]
        return stop.clock, stop.kind, level.line, leaves

    orders = [order for n in (1, 2, 5, 11, 23, 60) for order in (f"step {n}", state)]
    there = [found for found in Script(text, *orders).run().seen if found[1] not in (DONE, FAILED)]
    assert len(there) > 1
    clocks = [clock for clock, *_ in there]
    orders = orders[: 2 * len(there)]
    for later, earlier in zip(clocks[:0:-1], clocks[-2::-1], strict=True):
        orders += [f"back {later - earlier}", state]
    script = Script(text, *orders).run()
    assert script.seen == there + there[-2::-1]
