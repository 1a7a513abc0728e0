"""`autodiff repl`: a pipe as a script, and a person at a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.harness import Result, autodiff
from cli.terminal import Terminal


def repl(text: str, *options: str) -> Result:
    return autodiff("repl", *options, stdin=text.encode())


def test_values_are_shown_as_pytorch_prints_them_and_nothing_else_is() -> None:
    result = repl(
        "x = tensor(2.0, requires_grad=True)\nz = (x * 3 + 1)**2\nz\nz.backward()\nx.grad\n'text'\nprint('p')\n1 + 1"
    )
    assert result == (
        0,
        "tensor(49., grad_fn=<PowBackward0>)\ntensor(42.)\n'text'\np\n2\n",
        "",
    )


def test_inputs_of_several_lines() -> None:
    text = (
        "def f(a):\n    b = a * 2\n\n    return b\n\nf(3)\n"
        "if f(1) > 1:\n    print('yes')\nelse:\n    print('no')\n"
        "if f(1) > 3: print('big')\nelse: print('small')\n"
        "[1,\n 2]\n"
        "for i in range(2) {\n  print(i)\n}\n"
        "s = '''a\nb'''\ns\n"
        "@torch.no_grad()\ndef g(a):\n    return a\ng(4)\n"
        "try:\n    1/0\nexcept ZeroDivisionError:\n    print('caught')\n"
        "1 + \\\n2"
    )
    assert repl(text) == (0, "6\nyes\nsmall\n[1, 2]\n0\n1\n'a\\nb'\n4\ncaught\n3\n", "")


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        ("x +\n1 + 1", 3, "something is missing"),
        ("1/0\nx +\n1 + 1", 4, "division by zero"),
        ("q\n1 + 1", 4, "q = tensor(2.0, requires_grad=True)"),
        ("assert 1 == 2\n1 + 1", 1, "assertion failed"),
        (":nope\n1 + 1", 2, ":help lists them"),
        (":grpah\n1 + 1", 2, "did you mean :graph?"),
        (":gra x\n1 + 1", 2, ":gra may be :graph or :grad"),
        (":help sine\n1 + 1", 2, "did you mean :help sin"),
        (":load nope.ad\n1 + 1", 2, "there is no file nope.ad"),
        (":graph x\n1 + 1", 2, "there is no variable x"),
        (":explain\n1 + 1", 2, "no backward pass so far"),
    ],
)
def test_what_is_wrong_is_told_the_rest_is_run_and_the_first_gives_the_status(
    text: str, status: int, told: str
) -> None:
    result = repl(text)
    assert (result.status, result.out) == (status, "2\n")
    assert told in result.err


def test_an_input_without_its_end_is_told() -> None:
    assert repl("1\nx = (2,").status == 3
    assert "the block of `for`" in repl("for i in range(3):").err


def test_places_in_messages_are_those_of_the_input() -> None:
    assert repl("def f(a):\n    return a / 0\n\nf(1)").err.startswith("<input>:2:12\n        return a / 0\n")


def test_commands_look_at_the_session() -> None:
    result = repl(
        "x = tensor(2.0, requires_grad=True)\ny = x * x\n:graph\n:graph y\n:grad y\ny.backward()\n:grad x\n:grad y\n:explain\n:vars"
    )
    assert "there is no value so far" in result.err
    assert "y = x * x     MulBackward0      4      none" in result.out
    assert "gradient of y = none: no backward pass has reached it\n" in result.out
    assert "gradient of x = 4\ngradient of y = 1\nbackward starts from y with gradient 1\n" in result.out
    assert result.out.endswith("x = tensor(2., requires_grad=True)\ny = tensor(4., grad_fn=<MulBackward0>)\n")


def test_help_is_the_page_of_ops() -> None:
    assert repl(":help relu").out == autodiff("ops", "relu").out
    assert ":graph [NAME]" in repl(":help").out


def test_save_and_load(tmp_path: Path) -> None:
    path = tmp_path / "s.ad"
    text = "x = tensor(2.0, requires_grad=True)\n1/0\ndef f(a):\n    return a * x\n\nf(3)\n"
    first = repl(f"{text}:save {path}")
    assert first.err.endswith(f"{path}: 3 inputs\n")
    assert path.read_text() == "x = tensor(2.0, requires_grad=True)\ndef f(a):\n    return a * x\nf(3)\n"
    assert autodiff("eval", str(path)).status == 0
    again = repl(f":load {path}\nf(5)\n:save {path}")
    assert again.out == "tensor(6., grad_fn=<MulBackward0>)\ntensor(10., grad_fn=<MulBackward0>)\n"
    assert path.read_text().endswith("f(3)\nf(5)\n")


def test_a_fault_in_a_loaded_file_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "s.ad"
    path.write_text("a = 1\nb = a / 0\n")
    assert repl(f"c = 3\n:load {path}\n").err.startswith(f"{path}:2:5\n")


def test_reset_and_quit() -> None:
    result = repl("x = 1\n:reset\nx\n:quit\nprint('never')")
    assert (result.status, result.out) == (4, "")
    assert "x has no value" in result.err


def test_limits_and_formats_are_options() -> None:
    assert "--timeout allows more" in repl("while True: pass", "--timeout", "0.3").err
    assert "--max-steps allows more" in repl("while True: pass", "--max-steps", "1000").err
    text = "x = tensor(2.0, requires_grad=True)\n(x/3).backward()\n:grad x"
    assert repl(text, "--ofmt", "%.2f").out == "gradient of x = 0.33\n"


def test_a_program_on_the_command_line_is_refused() -> None:
    result = autodiff("repl", "x.ad")
    assert result.status == 2 and ":load x.ad" in result.err


def test_a_person_at_a_terminal(tmp_path: Path) -> None:
    with Terminal("repl", home=tmp_path) as terminal:
        terminal.wait_for("Ctrl-D ends")
        terminal.wait_for(">>>")
        terminal.type("def f(a):\rreturn a * 21\r\r")  # indented by itself; an empty line ends it
        terminal.wait_for(">>>")
        terminal.wait_for(">>>")
        terminal.type("f(2)\r")
        terminal.wait_for("42")
        terminal.wait_for(">>>")
        terminal.type("print(7)\rwhile True: pass\r")
        terminal.wait_for("\r\n7\r\n")
        terminal.wait_for("pass")
        _interrupt(terminal)
        terminal.wait_for(">>>")
        terminal.type("f(\x03")
        terminal.wait_for(">>>")
        terminal.type("torch.logc\t")
        terminal.wait_for("logcumsumexp")
        terminal.type("\x03")
        terminal.wait_for(">>>")
        terminal.type("f(3)\r")
        terminal.wait_for("63")
        terminal.wait_for(">>>")
        terminal.type("\x04")
        assert terminal.ended() == 0
    history = (tmp_path / "autodiff" / "repl_history").read_text()
    assert "+def f(a):\n+    return a * 21\n" in history


def _interrupt(terminal: Terminal) -> None:
    """Ctrl-C until the run has it: sent before the program runs, it is the prompt's."""
    for _ in range(20):
        terminal.type("\x03")
        try:
            terminal.wait_for("interrupted", 0.5)
        except AssertionError:
            continue
        return
    raise AssertionError("Ctrl-C does not stop the run")


def test_history_that_cannot_be_written_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "autodiff").write_text("a file in the way")
    with Terminal("repl", home=tmp_path) as terminal:
        terminal.wait_for(">>>")
        terminal.type("6 * 7\r")
        terminal.wait_for("\n42")
        terminal.type(":quit\r")
        assert terminal.ended() == 0
