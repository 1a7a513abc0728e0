"""The wheel: what is in it, and that it does the main job in a new environment, from any folder."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of a new environment with the wheel in it; dependencies are lent by this one."""
    home = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    python = home / "bin" / "python"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--quiet",
        "--no-deps",
        str(wheel),
    ]
    subprocess.run(pip, check=True)
    asked = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    library = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    (library / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return home / "bin"


def run(scripts: Path, folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "COV_", "AUTODIFF_"))}
    variables["PYTHONUTF8"] = "1"
    command = [str(scripts / "autodiff"), *argv]
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)


def test_the_wheel_has_the_grammar_and_its_tables_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {"autodiff_cli/language/_tables.py", "autodiff_cli/engine/_families.py"} <= set(names)
    assert "autodiff_cli/language/autodiff.lark" in names
    assert "autodiff_cli/py.typed" in names
    assert not [name for name in names if name.startswith(("tests", "grammar", "samples"))]


def test_the_main_job(scripts: Path, tmp_path: Path) -> None:
    result = run(scripts, tmp_path, "eval", "z=(x*y+1)**2", "--x", "2", "--y", "3")
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "z = 49"
    assert lines[-2].split() == ["x", "2", "42"]
    assert lines[-1].split() == ["y", "3", "28"]


def test_it_runs_from_the_installed_files(scripts: Path, tmp_path: Path) -> None:
    code = "import autodiff_cli; print(autodiff_cli.__file__)"
    asked = [str(scripts / "python"), "-c", code]
    where = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert where.startswith(str(scripts.parent))


def test_arrays_help_and_files(scripts: Path, tmp_path: Path) -> None:
    (tmp_path / "f.ad").write_text("x: input = 2.0\n(x * torch.tensor([1.0, 2.0])).sum()\n", encoding="utf-8")
    assert run(scripts, tmp_path, "grad", "f.ad", "--wrt", "x").stdout == "3\n"
    assert run(scripts, tmp_path, "--help").returncode == 0
    assert run(scripts, tmp_path, "ops", "sin").returncode == 0
