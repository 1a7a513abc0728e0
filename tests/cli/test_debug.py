"""`autodiff debug`: from a script of commands, and at a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.harness import Result, autodiff
from cli.terminal import Terminal

PROGRAM = """\
def f(a, b):
    c = a * b
    return c + 1

x: input = 2.0
s = 0
for i in range(4):
    s = s + f(x, 3) * i
    print("turn", i)
z = s ** 2
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "p.ad"
    path.write_text(PROGRAM)
    return str(path)


def debug(program: str, *commands: str, options: tuple[str, ...] = ()) -> Result:
    # a page that is wide enough for the path
    page = {"COLUMNS": "400"}
    result = autodiff("debug", program, *options, stdin="\n".join(commands).encode(), variables=page)
    return Result(result.status, result.out.replace(program, "p.ad"), result.err.replace(program, "p.ad"))


def test_a_script_has_no_prompt_and_no_banner(program: str) -> None:
    result = debug(program, "# a comment", "", "break 8 if i == 2", "continue", "print s, i", "continue", "continue")
    assert result == (
        0,
        "p.ad:1  def f(a, b):\n"
        "breakpoint 1 at line 8\n"
        "turn 0\n"
        "turn 1\n"
        "breakpoint 1\n"
        "p.ad:8  s = s + f(x, 3) * i\n"
        "s = tensor(7., grad_fn=<AddBackward0>)\n"
        "i = 2\n"
        "turn 2\n"
        "turn 3\n"
        "the end of the program; step goes through its backward pass\n"
        "done\n"
        "z = 1764\n"
        "\n"
        "name  value  gradient\n"
        "x         2      1512\n",
        "",
    )


def test_calls_stack_and_return(program: str) -> None:
    out = debug(program, "b f", "c", "n", "where", "vars", "p x + c", "finish").out
    assert "breakpoint 1\np.ad:2 in f  c = a * b\np.ad:3 in f  return c + 1\n" in out
    assert "  p.ad:8  s = s + f(x, 3) * i\n  p.ad:3 in f  return c + 1\n" in out
    assert "a = tensor(2., requires_grad=True)\nb = 3\nc = tensor(6., grad_fn=<MulBackward0>)\n" in out
    assert out.endswith(
        'tensor(8., grad_fn=<AddBackward0>)\nf() returned tensor(7., grad_fn=<AddBackward0>)\np.ad:9  print("turn", i)\n'
    )


def test_back_and_again(program: str) -> None:
    out = debug(program, "break 9 if i == 1", "c", "p s", "back", "back", "p c", "back 100", "restart").out
    assert out.split("\n")[5:] == [
        "tensor(7., grad_fn=<AddBackward0>)",
        "p.ad:3 in f  return c + 1",
        "p.ad:2 in f  c = a * b",
        "p.ad:1  def f(a, b):",
        "p.ad:1  def f(a, b):",
        "",
    ]


def test_the_backward_pass_node_by_node() -> None:
    text = "p = x*y; z = p*p + p"
    result = autodiff(
        "debug", text, "--x", "2", "--y", "3", stdin=b"c\ns\ngrad p\ns\ngrad p\ngrad x\ns\ngrad x\nwhere\nback\ns\ns\n"
    )
    assert result.out.split("\n")[1:] == [
        "the end of the program; step goes through its backward pass",
        "backward 1/3: z  AddBackward0  gradient 1",
        "  p*p += 1",
        "  p += 1",
        "gradient of p = 1 so far",
        "backward 2/3: p*p  MulBackward0  gradient 1",
        "  p += 6",
        "  p += 6, now 13",
        "gradient of p = 13 so far",
        "gradient of x = none yet",
        "backward 3/3: p  MulBackward0  gradient 13",
        "  x += 39",
        "  y += 26",
        "gradient of x = 39 so far",
        "  a backward pass (node 3 of 3)",
        "backward 2/3: p*p  MulBackward0  gradient 1",
        "  p += 6",
        "  p += 6, now 13",
        "backward 3/3: p  MulBackward0  gradient 13",
        "  x += 39",
        "  y += 26",
        "done",
        "z = 42",
        "",
        "name  value  gradient",
        "x         2        39",
        "y         3        26",
        "",
    ]


def test_parts_of_one_expression_are_told_apart_and_arrays_get_fewer_digits_before_they_are_cut() -> None:
    text = "z = tensor([2.0, 1.0, 0.1], requires_grad=True)\nl = F.cross_entropy(z, tensor(0))"
    out = autodiff("debug", text, stdin=b"c\ns\ns\n", variables={"COLUMNS": "80"}).out
    assert "1/2: l  NllLossBackward0  gradient 1\n  l (LogSoftmaxBackward0) += [-1, 0, 0]\n" in out
    assert "  z += [-0.340999, 0.242433, 0.0985659]\n" in out


def test_graph_watch_and_list(program: str) -> None:
    result = debug(
        program, "step 3", "watch s", "watch c", "break 9", "c", "break", "graph s", "delete 1", "list 5", "c"
    )
    out = result.out
    assert "watch 1: s = 0\n" in out
    assert "there is no c here" in result.err
    assert "2: break at line 9\n1: watch s = 0\n" in out
    assert "● x" in out and "AddBackward0" in out


def test_list_marks_the_line_and_the_breakpoints(program: str) -> None:
    out = debug(program, "break 3", "step", "list").out
    assert "  * 3      return c + 1\n" in out
    assert "->  5  x: input = 2.0\n" in out


def test_watched_changes_are_told_with_the_statement(program: str) -> None:
    out = debug(program, "watch f(x, i)", "watch s", "step 3", "c").out
    assert "watch s: (no value) -> 0  by p.ad:6  s = 0\n" in out
    assert "watch s: 7 -> 21  by p.ad:8  s = s + f(x, 3) * i\n" in out
    assert "s: 0 -> 0" not in out  # it has only become a tensor


@pytest.mark.parametrize(
    ("command", "told", "status"),
    [
        ("foo", "there is no command foo", 2),
        ("stpe", "did you mean step?", 2),
        ("break 99", "its lines are 1 to 10", 2),
        ("break g", "the program defines no function g", 2),
        ("break 8 when i", "as in break 8 if i == 2", 2),
        ("break 8 if nope", "there is no nope here", 4),
        ("print", "print takes an expression", 2),
        ("print 1 +", "the text ends after `+`", 3),
        ("print s = 1", "not a statement", 3),
        ("print q", "there is no q here", 4),
        ("grad i", "'i' has no value here", 4),
        ("delete 7", "there is no breakpoint or watch 7", 2),
        ("step x", "as in step 3", 2),
        ("finish 2", "finish takes nothing after it", 2),
    ],
)
def test_a_wrong_command_is_told_and_survived(program: str, command: str, told: str, status: int) -> None:
    result = debug(program, command, "step")
    assert told in result.err
    assert result.out.endswith("p.ad:5  x: input = 2.0\n")
    assert result.status == status


@pytest.mark.parametrize(
    ("text", "status"),
    [("1/0", 4), ("assert 1 == 2", 1), ("x = [1]; x[3]", 4), ("torch.zeros(2).backward()", 4)],
)
def test_a_failed_program_gives_its_status(text: str, status: int) -> None:
    result = autodiff("debug", text, stdin=b"continue\nwhere\n")
    assert "the program has failed" in result.out
    assert "error: " in result.err
    assert result.status == status


def test_a_failure_that_was_left_by_going_back_is_none() -> None:
    assert autodiff("debug", "a = 1; 1/0", stdin=b"continue\nback\nprint a\nquit\n").status == 0


@pytest.mark.parametrize(
    ("argv", "status", "told"),
    [
        (("x**",), 3, "the text ends after"),
        (("x*y", "--x", "1"), 2, "the program reads y"),
        (("-",), 2, "put it into a file"),
        (("nope.ad",), 2, "there is no file nope.ad"),
        (("while True: pass", "--timeout", "0.3"), 4, "ran longer than 0.3 s"),
    ],
)
def test_statuses_before_and_in_the_run(argv: tuple[str, ...], status: int, told: str) -> None:
    result = autodiff("debug", *argv, stdin=b"continue\n")
    assert (result.status, told in result.err) == (status, True)


def test_what_the_debugger_prints_fits_the_page() -> None:
    text = "y = " + " + ".join(f"x*{i}" for i in range(60))
    script = b"list\ncontinue\nstep\nlocals\nwhere\nstep\n"
    result = autodiff("debug", text, "--x", "2", stdin=script, variables={"COLUMNS": "60"}, encoding="ascii")
    assert max(map(len, result.out.split("\n"))) <= 60
    assert result.out.isascii()


def test_a_person_at_a_terminal(program: str, tmp_path: Path) -> None:
    with Terminal("debug", program, home=tmp_path) as terminal:
        terminal.wait_for("help lists the commands")
        terminal.wait_for("(debug)")
        terminal.type("bre\t")
        terminal.wait_for("break")
        terminal.type(" 8 if i == 1\r")
        terminal.wait_for("breakpoint 1 at line 8")
        terminal.wait_for("(debug)")
        terminal.type("continue\r")
        terminal.wait_for("turn 0")
        terminal.wait_for("(debug)")
        terminal.type("print nothing\x03")  # Ctrl-C drops the line
        terminal.wait_for("(debug)")
        terminal.type("step\r")
        terminal.wait_for("in f  c = a * b")
        terminal.wait_for("(debug)")
        terminal.type("\r")  # an empty line: step again
        terminal.wait_for("in f  return c + 1")
        terminal.wait_for("(debug)")
        terminal.type("\x04")
        assert terminal.ended() == 0
    assert "+print nothing" not in (tmp_path / "autodiff" / "debug_history").read_text()
    assert "+continue" in (tmp_path / "autodiff" / "debug_history").read_text()


def test_ctrl_c_stops_the_run_where_it_is(tmp_path: Path) -> None:
    with Terminal("debug", "n = 0\nprint(123)\nwhile True:\n    n += 1", home=tmp_path) as terminal:
        terminal.wait_for("(debug)")
        terminal.type("continue\r")
        terminal.wait_for("123\r\n")
        terminal.type("\x03")
        terminal.wait_for("<command line>:")
        terminal.wait_for("(debug)")
        terminal.type("print n >= 0\r")
        terminal.wait_for("True")
        terminal.wait_for("(debug)")
        terminal.type("quit\r")
        assert terminal.ended() == 0


WIDE = """\
h = tensor([0.1234567, 1/3, 2/3], requires_grad=True) * 1.0
loss = ((h * h).exp() * torch.ones(3)).sum() + h.sum()
loss.backward()
"""


@pytest.mark.parametrize("width", ["60", "80", "200"])
def test_a_walk_and_help_fit_the_page(width: str, tmp_path: Path) -> None:
    file = tmp_path / "a_program_with_a_long_name.ad"
    file.write_text(WIDE)
    commands = b"watch h\nbreak 3\nc\n" + b"s\n" * 12 + b"help\nwhere\ngraph loss\nlocals\nlist\n"
    result = autodiff("debug", str(file), stdin=commands, variables={"COLUMNS": width})
    lines = [line for line in result.out.splitlines() if not line.startswith("tensor")]
    assert max(len(line) for line in lines) <= int(width)
    assert "passes\n" in result.out and "\u2026" not in result.out.partition("step [N]")[2].partition("quit")[0]


def test_a_function_that_there_is_not(program: str) -> None:
    result = autodiff("debug", program, stdin=b"break nothing_like_it\n")
    assert "hint: its functions: " in result.err


def test_up_and_down_look_from_the_calls_around(program: str) -> None:
    result = debug(
        program, "break 2", "c", "p a", "up", "p i, x", "where", "up", "p a", "down", "p b", "down", "s", "p c"
    )
    shown = result.out
    assert "> p.ad:8  s = s + f(x, 3) * i\n  p.ad:2 in f  c = a * b\n" in shown
    assert "i = 0\nx = tensor(2., requires_grad=True)\n" in shown and shown.endswith(
        "tensor(6., grad_fn=<MulBackward0>)\n"
    )
    assert "this is the outermost level" in result.err and "this is the innermost level" in result.err
