"""Families of operations that are loaded when they are wanted: nothing that a program sees depends on it."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autodiff_cli.engine.registry import FUNCTIONS, OPS

ROOT = Path(__file__).resolve().parents[2]


def fresh(code: str) -> Any:
    """What a Python of its own prints, as JSON."""
    command = [sys.executable, "-c", f"import json\n{code}"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_the_index_is_fresh():
    """`python grammar/build.py` makes it anew."""
    index = pytest.importorskip("autodiff_cli.engine._families")
    spec = importlib.util.spec_from_file_location("build", ROOT / "grammar" / "build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    assert build.index(ROOT) == {"FUNCTIONS": index.FUNCTIONS, "OPS": index.OPS}


def test_stand_ins_are_what_they_stand_for():
    told = fresh(
        "from autodiff_cli.engine import methods\nfrom autodiff_cli.engine.registry import FUNCTIONS\n"
        "from autodiff_cli.engine.tensor import Tensor\n"
        "print(json.dumps([[place, name, f.numbers, f.in_place, f.stand_in, place != 'Tensor' or hasattr(Tensor, name)]"
        " for (place, name), f in FUNCTIONS.items()]))"
    )
    assert {(p, n): (numbers, in_place) for p, n, numbers, in_place, _, _ in told} == {
        key: (f.numbers, f.in_place) for key, f in FUNCTIONS.items()
    }
    assert all(there for *_, there in told)
    assert sum(stand_in for *_, stand_in, _ in told) > 400  # most of what a scalar program does not use
    assert not any(f.stand_in for f in FUNCTIONS.values())


def test_an_operation_is_found_by_its_name():
    found = fresh(
        "from autodiff_cli.engine import methods\nfrom autodiff_cli.engine.registry import OPS\n"
        f"names = {sorted(OPS)}\n"
        "few = len(OPS)\nprint(json.dumps([few, [OPS[name].name for name in names], 'nothing' in OPS]))"
    )
    assert found[0] < len(OPS) / 2
    assert found[1:] == [sorted(OPS), False]


def test_a_stand_in_gives_way():
    """A function, a method, a form in place, a bare name: first as a stand-in, then as itself."""
    before, after, values = fresh(
        "from autodiff_cli import Program\n"
        "from autodiff_cli.engine.registry import FUNCTIONS\n"
        "from autodiff_cli.runtime.attributes import METHODS\nfrom autodiff_cli.engine.tensor import Tensor\n"
        "Program.load('1+1').run()\nbefore = FUNCTIONS['torch', 'softmax'].stand_in, FUNCTIONS['torch', 'erf'].stand_in\n"
        "run = Program.load('''x = torch.zeros(2)\nf = torch.softmax\nfor i in range(2):\n"
        "    print(f(x, 0), x.softmax(0), softmax(x, 0), torch.special.softmax(x, 0), x.clone().erf_(), erf(0))''').run()\n"
        "after = FUNCTIONS['torch', 'softmax'].stand_in, FUNCTIONS['torch', 'erf'].stand_in\n"
        "assert METHODS[Tensor]['softmax'] is FUNCTIONS['Tensor', 'softmax'].call is Tensor.softmax\n"
        "print(json.dumps([before, after, run.printed]))"
    )
    assert (before, after) == ([True, True], [False, False])
    half, zero = "tensor([0.5000, 0.5000])", "tensor([0., 0.])"
    assert values == [f"{half} {half} {half} {half} {zero} tensor(0.)\n"] * 2


CALLS = [
    "torch.ones(2).erf(1, 2, 3)",
    "torch.ones(2).addmm()",
    "torch.ones(2).cumsum_()",
    "torch.ones(2).digamma(nokey=1)",
    "torch.Tensor.addmm(torch.ones(2))",
    "torch.linspace()",
    "F.softmax(1, 2, 3, 4, 5)",
    "erf(1, 2, 3)",
    "getattr(torch, 'erf')(nokey=1)",
    "list(map(torch.special.erf, [1, 2], [3, 4]))",
]


@pytest.mark.parametrize("call", CALLS)
def test_messages_do_not_depend_on_what_is_loaded(call):
    """The first call of a function is one that does not fit."""
    first, loaded = (
        fresh(
            "from autodiff_cli import Program\nfrom autodiff_cli.engine import families\n"
            f"from autodiff_cli.errors import Fault\n{before}\n"
            f"try:\n    Program.load({call!r}).run()\nexcept Fault as e:\n    print(json.dumps([e.message, e.hint]))"
        )
        for before in ("", "families.load_all()")
    )
    assert first == loaded


def test_without_the_index_all_are_loaded():
    count = fresh(
        "import sys\nfrom importlib import util\nfrom autodiff_cli.engine import families\n"
        "families.INDEX = 'autodiff_cli.engine._nothing'\n"
        "from autodiff_cli.engine import methods\nfrom autodiff_cli.engine.registry import FUNCTIONS\n"
        "print(sum(f.stand_in for f in FUNCTIONS.values()))"
    )
    assert count == 0
