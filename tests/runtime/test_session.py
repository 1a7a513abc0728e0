"""A program in pieces: names, functions and the graph go on; a piece that fails leaves the session usable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from autodiff_cli.engine.tape import tape
from autodiff_cli.errors import Fault, LimitFault, NameFault, SyntaxFault
from autodiff_cli.runtime.session import Session
from autodiff_cli.runtime.state import Limits
from autodiff_cli.source import Source


class Talk:
    """A session that gives values as the language prints them."""

    def __init__(self, session: Session, printed: list[str]) -> None:
        self.session = session
        self.printed = printed

    def __call__(self, *pieces: str) -> Any:
        value = None
        for piece in pieces:
            value = self.session.run(Source(piece, "<piece>"))
        return None if value is None else repr(value)

    def fault(self, piece: str, kind: type[Fault] = Fault) -> Fault:
        with pytest.raises(kind) as caught:
            self(piece)
        return caught.value


@pytest.fixture
def talk() -> Iterator[Talk]:
    printed: list[str] = []
    with Session(Limits(), printed.append) as session:
        yield Talk(session, printed)


def test_the_graph_goes_on_from_piece_to_piece(talk: Talk) -> None:
    talk("x = tensor(2.0, requires_grad=True)", "z = (x * 3 + 1)**2")
    assert talk("z") == "tensor(49., grad_fn=<PowBackward0>)"
    assert talk("z.backward()", "x.grad") == "tensor(42.)"
    graph = talk.session.graph(talk.session.variables["z"])
    assert [(n.name, n.text, n.grad) for n in graph.nodes if n.requires_grad] == [
        ("x", "x", 42.0),
        (None, "x * 3", 14.0),
        (None, "x * 3 + 1", 14.0),
        ("z", "(x * 3 + 1)**2", 1.0),
    ]


def test_gradients_shown_are_those_of_the_last_pass(talk: Talk) -> None:
    talk("x = tensor(2.0, requires_grad=True)", "y = x * x", "z = y * 5", "z.backward()", "a = 1", "a + 1")
    assert talk.session.gradient(talk.session.variables["y"]) == 5.0
    assert talk.session.outcome().gradients == {"x": 20.0}


def test_functions_see_later_definitions_of_what_they_read(talk: Talk) -> None:
    talk("def g(a):\n    return a", "def f(a):\n    return g(a) * w", "w = 2")
    assert talk("f(3)") == "6"
    talk("w = 5", "def g(a):\n    return a + 1")
    assert talk("f(3)") == "20"
    assert talk("h = lambda: w", "w = 7", "h()") == "7"


def test_a_function_may_read_what_is_defined_later_and_fails_until_then(talk: Talk) -> None:
    talk("def f():\n    return later")
    talk.fault("f()", NameFault)
    assert talk("later = 3", "f()") == "3"


def test_globals_are_changed_by_functions(talk: Talk) -> None:
    assert talk("n = 1", "def count():\n    global n\n    n += 1", "count()", "count()", "n") == "3"


def test_names_of_the_library_may_be_taken_and_given_back(talk: Talk) -> None:
    assert talk("sum = 3", "sum + 1") == "4"
    assert talk("del sum", "sum([1, 2])") == "3"


def test_a_deleted_name_is_one_without_a_value(talk: Talk) -> None:
    talk("a = 1", "del a")
    assert "give it one" in (talk.fault("a", NameFault).hint or "")


def test_imports_and_comprehensions_stay(talk: Talk) -> None:
    talk("import torch.nn.functional as G", "from math import pi", "k = 2")
    assert talk("[q * k for q in [1, 2]]") == "[2, 4]"
    assert talk("float(G.relu(tensor(-1.0))) + pi > 3") == "True"


@pytest.mark.parametrize("piece", ["q * 2", "a = q", "print(q)"])
def test_a_name_without_a_value_is_no_input(talk: Talk, piece: str) -> None:
    fault = talk.fault(piece, NameFault)
    assert "q has no value" in fault.message
    assert "q = tensor(2.0, requires_grad=True)" in (fault.hint or "")


def test_declared_inputs_take_their_default_each_time(talk: Talk) -> None:
    talk("k = 1", "x: input = 2.0", "x: input = 3.0", "(x * x).backward()")
    assert talk("k") == "1"
    assert talk("x.grad") == "tensor(6.)"


def test_the_last_value_has_a_name(talk: Talk) -> None:
    assert talk("3 + 4", "_ * 2") == "14"
    assert talk("print(1)") is None
    assert talk("_") == "14"
    assert talk("if True:\n    5") is None


def test_state_is_kept_across_faults(talk: Talk) -> None:
    talk("x = 1", "def f():\n    global x\n    x = 2\n    return 1 / 0")
    talk.fault("f()")
    talk.fault("x = (")
    talk.fault("foo(3)", SyntaxFault)
    assert talk("x") == "2"
    assert talk.session.state.depth == 0


def test_places_are_those_in_the_piece_that_is_wrong(talk: Talk) -> None:
    talk("# a comment", "def f(a):\n    return a / 0")
    for piece, shown in (("f(1)", "a / 0"), ("1 + f(tensor([1]).foo)", "foo"), ("y =", "="), ("a b", "b")):
        fault = talk.fault(piece)
        assert fault.source is not None and fault.span is not None
        assert fault.source.slice(fault.span) == shown
    assert fault.source.text == "a b"


def test_an_interrupt_leaves_a_session_that_goes_on(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(text: str) -> None:
        raise KeyboardInterrupt

    talk("x = tensor(1.0, requires_grad=True)", "def f():\n    with torch.no_grad():\n        print(1)")
    monkeypatch.setattr(talk.session.state, "write", interrupt)
    with pytest.raises(KeyboardInterrupt):
        talk("f()")
    monkeypatch.undo()
    assert tape.grad_enabled
    assert talk("x * 2") == "tensor(2., grad_fn=<MulBackward0>)"


def test_limits_are_for_each_piece() -> None:
    with Session(Limits(max_steps=25_000), lambda text: None) as session:
        talk = Talk(session, [])
        for _ in range(3):
            talk("for i in range(5000): pass")
        talk.fault("while True: pass", LimitFault)
        assert talk("1 + 1") == "2"


def test_nothing_is_left_in_the_engine() -> None:
    with Session(Limits(), lambda text: None) as session:
        session.run(Source("torch.set_grad_enabled(False)"))
        assert not tape.grad_enabled
    assert tape.grad_enabled and tape.gradients is None and tape.trail is None
