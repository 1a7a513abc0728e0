"""What only a real process shows: streams, pipes, signals, and what is imported on the way."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SEED = ("eval", "z=(x*y+1)**2", "--x", "2", "--y", "3")
COMMAND = (sys.executable, "-m", "autodiff_cli")


def variables(**more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM")}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **more}


def shell(line: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A line of bash in which `$AUTODIFF` is the command."""
    env = variables(AUTODIFF=" ".join(COMMAND), **more)
    return subprocess.run(["bash", "-c", line], env=env, capture_output=True, text=True, check=False)


def test_standard_input_is_read_only_when_asked_for() -> None:
    assert shell("echo 'x*3' | $AUTODIFF grad - --x 2 --wrt x").stdout == "3\n"
    # a pipe that never ends is no reason to wait
    assert shell("sleep 2 | timeout 1.9 $AUTODIFF grad 'x*3' --x 2 --wrt x; echo ${PIPESTATUS[1]}").stdout == "3\n0\n"


def test_a_closed_pipe_ends_it_silently() -> None:
    program = "'for i in range(100000) { print(i) }'"
    result = shell(f"$AUTODIFF eval {program} | head -1; echo ${{PIPESTATUS[0]}}")
    assert (result.stdout, result.stderr) == ("0\n141\n", "")


def test_a_full_disk_is_told() -> None:
    result = shell("$AUTODIFF eval 'x*2' --x 1 > /dev/full")
    assert result.returncode == 2
    assert result.stderr == "error: the result cannot be written: no space left on device\n"


def test_closed_streams_are_no_fault() -> None:
    assert shell("$AUTODIFF eval 'x*2' --x 1 >&-").returncode == 0
    assert shell("$AUTODIFF grad 'x*2' --x 1 --wrt x <&- 2>&-").stdout == "2\n"
    assert shell("$AUTODIFF eval - <&-").returncode == 2


def test_ctrl_c_is_130_and_leaves_no_half_written_file(tmp_path: Path) -> None:
    argv = [*COMMAND, "eval", "print('go')\nwhile True: pass", "-o", str(tmp_path / "out")]
    with subprocess.Popen(argv, env=variables(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 20
        while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_a_time_limit() -> None:
    result = shell("$AUTODIFF eval 'while True: pass' --timeout 0.2")
    assert result.returncode == 4
    assert "0.2 s" in result.stderr


def test_the_environment_sets_options() -> None:
    assert shell("$AUTODIFF eval 'while True: pass'", AUTODIFF_MAX_STEPS="1000").returncode == 4


def test_ascii_streams_get_ascii() -> None:
    result = shell(f"$AUTODIFF eval '{SEED[1]}' --x 2 --y 3", PYTHONIOENCODING="ascii")
    assert result.stdout.isascii()
    assert "`- * y" in result.stdout
    assert shell("$AUTODIFF eval 'print(\"é\")'", PYTHONIOENCODING="ascii").stdout == "\\xe9\n"


def on_a_terminal(*argv: str, columns: int = 80) -> str:
    """What a command writes to a terminal of its own."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, columns))
    with subprocess.Popen([*COMMAND, *argv], env=variables(TERM="xterm"), stdout=slave, stderr=slave) as process:
        os.close(slave)
        seen = b""
        while select.select([master], [], [], 20)[0]:
            try:
                chunk = os.read(master, 4096)
            except OSError:  # Linux: the other end is closed
                break
            if not chunk:
                break
            seen += chunk
        process.wait(20)
    os.close(master)
    return seen.decode()


def test_colour_on_a_terminal() -> None:
    assert "\x1b[32m42\x1b[0m" in on_a_terminal(*SEED)
    assert "\x1b[1;31merror: " in on_a_terminal("eval", "x +")


def test_the_width_is_that_of_the_terminal() -> None:
    program = "y = " + "+".join(["x"] * 60)
    for columns in (60, 150):
        lines = re.sub(r"\x1b\[[\d;]*m", "", on_a_terminal("eval", program, "--x", "1", columns=columns)).splitlines()
        assert columns - 20 < max(map(len, lines)) <= columns


@pytest.mark.parametrize(
    ("argv", "unwanted"),
    [
        ((*SEED, "--json"), ("click", "rich", "numpy", "scipy", "lark", "inspect", "difflib")),
        (SEED, ("click", "rich", "numpy", "scipy", "lark", "inspect", "difflib")),
        (("--help",), ("rich", "numpy", "autodiff_cli.engine", "autodiff_cli.language")),
        (("--version",), ("click", "rich", "numpy", "autodiff_cli.engine", "autodiff_cli.language")),
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(argv: tuple[str, ...], unwanted: tuple[str, ...]) -> None:
    code = "import sys; from autodiff_cli.__main__ import main; main(); print(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", code, *argv]
    result = subprocess.run(command, env=variables(), capture_output=True, text=True, check=True)
    assert not set(unwanted) & set(result.stderr.split())


def test_the_public_names() -> None:
    code = (
        "import autodiff_cli as a, sys; assert 'autodiff_cli.engine' not in sys.modules; "
        "assert set(a.__all__) <= set(dir(a)); run = a.Program.load('x*y').run({'x': 2, 'y': 3}); "
        "assert isinstance(run, a.Run) and run.gradients == {'x': 3.0, 'y': 2.0}; "
        "a.Limits(max_steps=3); assert issubclass(a.Fault, Exception); assert not hasattr(a, 'nothing')"
    )
    assert subprocess.run([sys.executable, "-c", code], env=variables()).returncode == 0
