"""How a command line is read: options, inputs, SOURCE, in any order."""

from __future__ import annotations

import pytest
from cli.harness import autodiff

from autodiff_cli.cli.arguments import Request, read_arguments
from autodiff_cli.cli.commands import COMMANDS, LATER
from autodiff_cli.cli.options import OPTIONS
from autodiff_cli.errors import UsageFault


def read(*argv: str, **variables: str) -> Request:
    return read_arguments(list(argv), variables)


def fault(*argv: str, **variables: str) -> UsageFault:
    with pytest.raises(UsageFault) as caught:
        read(*argv, **variables)
    return caught.value


@pytest.mark.parametrize(
    "argv",
    [
        ("eval", "x*y", "--x", "2", "--y=-3", "--json"),
        ("eval", "--x", "2", "--json", "x*y", "--y", "-3"),
        ("eval", "--x=2", "--y", "-3", "--json", "--", "x*y"),
        ("--json", "eval", "--set", "x=2", "--set=y=-3", "x*y"),
    ],
)
def test_options_and_inputs_stand_anywhere(argv: tuple[str, ...]) -> None:
    request = read(*argv)
    assert request.words == ["x*y"]
    assert request.inputs == {"x": "2", "y": "-3"}
    assert request["json"] is True


def test_an_expression_may_begin_with_a_minus() -> None:
    assert read("eval", "-x**2", "--x", "3").words == ["-x**2"]
    assert read("eval", "--x**2", "--x", "3").words == ["--x**2"]
    assert read("eval", "--", "--json").words == ["--json"]
    assert read("eval", "-").words == ["-"]


def test_options_win_over_inputs_and_set_gets_around_them() -> None:
    request = read("eval", "json*seed", "--json", "--set", "json=1", "--set", "seed=2")
    assert request["json"] is True
    assert request.inputs == {"json": "1", "seed": "2"}


def test_values_of_options() -> None:
    request = read(
        *("eval", "x", "--of", "a", "--of=b,c", "--no-grad", "u,v", "--max-steps", "1e6", "--timeout", "0.5"),
        *("-o", "-", "--ofmt", "%.3f", "--graph=full"),
    )
    assert request["of"] == ["a", "b", "c"]
    assert request["no-grad"] == ["u", "v"]
    assert request["max-steps"] == 1_000_000
    assert request["timeout"] == 0.5
    assert request["output"] == "-"
    assert request["ofmt"] == "%.3f"
    assert request["graph"] == "full"


def test_defaults_fill_in_what_is_not_given() -> None:
    request = read("eval", "x")
    assert set(request.options) == {option.name for option in COMMANDS["eval"].options}
    assert request["json"] is False
    assert request["of"] == []
    assert request["max-depth"] == 1000
    assert request["timeout"] is None


def test_the_environment_sets_what_the_command_line_does_not() -> None:
    assert read("eval", "x", AUTODIFF_MAX_STEPS="10")["max-steps"] == 10
    assert read("eval", "x", "--max-steps", "20", AUTODIFF_MAX_STEPS="10")["max-steps"] == 20
    assert read("eval", "x", AUTODIFF_JSON="1")["json"] is False  # results do not change shape from outside
    assert "AUTODIFF_MAX_STEPS: 'many'" in str(fault("eval", "x", AUTODIFF_MAX_STEPS="many"))


@pytest.mark.parametrize(
    ("argv", "message", "hint"),
    [
        (("x*y", "--x", "2"), "a command is missing", 'did you mean: autodiff eval "x*y" --x 2'),
        (("x", "--x", "2"), "a command is missing", "did you mean: autodiff eval x --x 2"),
        (("evla", "x"), "no command evla", "did you mean autodiff eval?"),
        (("zzz",), "no command zzz", "the commands are eval, grad"),
        ((next(iter(LATER)), "x"), "is planned, and not there yet", ""),
        (("eval", "--jsno"), "--jsno needs a value", "did you mean --json?"),
        (("eval", "x", "--y"), "--y needs a value", "--y 2"),
        (("eval", "x", "--y", "--json"), "--y needs a value", "--y 2"),
        (("eval", "x", "--of"), "--of needs a value", "--of NAME"),
        (("eval", "x", "--json=1"), "--json takes no value", "--json alone"),
        (("eval", "x", "--max-stps", "4"), "no option --max-stps", "did you mean --max-steps?"),
        (("eval", "x", "--learning-rate", "4"), "no option --learning-rate", "--learning_rate"),
        (("ops", "--x", "4"), "no option --x", "autodiff ops --help"),
        (("ops", "--summary"), "no option --summary", "run has it"),
        (("eval", "x", "--x", "1", "--set", "x=2"), "x is given twice", "leave one"),
        (("eval", "x", "--set", "x:2"), "--set: 'x:2'", "x=2"),
        (("eval", "x", "--max-nodes", "-4"), "--max-nodes: '-4'", "1e6"),
        (("eval", "x", "--timeout", "soon"), "--timeout: 'soon'", "2.5"),
        (("eval", "x", "--color", "red"), "--color: 'red' is not one of auto, always, never", None),
        (("eval", "x", "--ofmt", "6g"), "--ofmt '6g'", None),
        (("eval", "x", "--wrt", "x+y"), "--wrt: 'x+y'", "x,y"),
        ((), "there is no command", "autodiff --help"),
        (("--nope", "eval"), "no option --nope", None),
    ],
)
def test_what_is_wrong_is_said_with_what_to_write(argv: tuple[str, ...], message: str, hint: str | None) -> None:
    found = fault(*argv)
    assert message in found.message
    if hint is not None:
        assert hint in (found.hint or "")


def test_the_tables_hold_together() -> None:
    assert len({option.short for option in OPTIONS.values() if option.short}) == 3
    for command in COMMANDS.values():
        assert command.examples, command.name
        for option in command.options:
            assert OPTIONS[option.name] is option or option in command.own


def test_the_limits_of_the_table_are_those_of_the_runtime() -> None:
    from autodiff_cli.runtime.program import Limits

    limits = Limits()
    for name in ("max_steps", "max_nodes", "max_depth", "max_elements", "timeout"):
        assert OPTIONS[name.replace("_", "-")].default == getattr(limits, name), name


@pytest.mark.parametrize(
    ("argv", "message", "hint"),
    [
        (
            ("graph", "x*2", "--x", "3", "--wrt", "x"),
            "graph has no option --wrt",
            "eval, grad, run and explain have it",
        ),
        (("stats", "x*2", "--x", "3", "--graph", "none"), "stats has no option --graph", "compare have it"),
        (("debug", "x*2", "--x", "3", "--json"), "debug has no option --json", "have it; see autodiff debug --help"),
        (("eval", "x*2", "--x", "3", "--q", "abc"), "the program never reads q", "its inputs are x"),
        (("eval", "x*2", "--x", "3", "--set", "json=1"), "the program never reads json", "its inputs are x"),
        (("graph", "x*2", "--x", "3", "--radius", "-1"), "--radius: '-1' is not a whole number from 0", "0, 1 or 2"),
        (("explain", "x*2", "--x", "3", "--forward", "--symbolic"), "--forward does not go with --symbolic", "leave"),
        (("explain", "x*2", "--x", "3", "--forward", "--pass", "1"), "--forward does not go with --pass", "leave"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_an_option_out_of_place_is_called_by_its_name(argv: tuple[str, ...], message: str, hint: str) -> None:
    result = autodiff(*argv)
    assert result.status == 2
    assert message in result.err and hint in result.err


def test_a_name_of_another_commands_option_is_an_input_where_the_program_reads_it() -> None:
    assert autodiff("grad", "x*depth", "--x", "3", "--depth", "2").out == "x\t2\ndepth\t3\n"
    assert autodiff("grad", "x*all", "--set", "all=2", "--x", "3", "--wrt", "x").out == "2\n"
