"""What SOURCE stands for, and which files a batch has."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from cli.harness import autodiff

from autodiff_cli.cli.environment import Environment
from autodiff_cli.cli.sources import batch_files, one_source, read_source
from autodiff_cli.errors import DataFault, Fault, UsageFault


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a few programs."""
    monkeypatch.chdir(tmp_path)
    for name in (
        "model.ad",
        "notes.txt",
        "deep/b.ad",
        "deep/a.ad",
        "deep/more/c.ad",
        "deep/d.py",
        "deep/.e.ad",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x*y\n")
    return tmp_path


def read(word: str, stdin: bytes = b"") -> tuple[str, str]:
    source = read_source(word, Environment(BytesIO(stdin), variables={}))
    return source.name, source.text


def test_text_paths_and_standard_input() -> None:
    assert read("x*y") == ("<command line>", "x*y")
    assert read("model.ad") == ("model.ad", "x*y\n")
    assert read("@notes.txt") == ("notes.txt", "x*y\n")
    assert read("-", b"a+b") == ("<stdin>", "a+b")
    assert read("x\n.ad")[0] == "<command line>"  # text of several lines is no path


def test_text_is_utf8_with_or_without_a_mark(folder: Path) -> None:
    (folder / "mark.ad").write_bytes("\ufeffα*2".encode())
    assert read("mark.ad")[1] == "α*2"
    (folder / "latin.ad").write_bytes(b"x = 1\ny = '\xe9'\n")
    with pytest.raises(DataFault, match=r"latin.ad:2: this is not UTF-8 text \(byte 0xe9\)"):
        read("latin.ad")
    with pytest.raises(DataFault) as caught:
        read("-", "x".encode("utf-16"))
    assert "UTF-16" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("word", "message", "hint"),
    [
        ("modle.ad", "there is no file modle.ad", "did you mean model.ad?"),
        ("deep/aa.ad", "there is no file deep/aa.ad", "did you mean deep/a.ad?"),
        ("nowhere/a.ad", "there is no file", "there is no folder nowhere"),
        ("@deep", "deep is a folder", "autodiff run deep"),
        ("@", "there is no file", None),
        ("@a\0b", "cannot be read", None),
    ],
)
def test_no_such_file(word: str, message: str, hint: str | None) -> None:
    with pytest.raises(UsageFault) as caught:
        read(word)
    assert message in caught.value.message
    assert hint is None or hint in (caught.value.hint or "")


def fault_of(*words: str) -> Fault:
    with pytest.raises(UsageFault) as caught:
        one_source(words, "eval")
    return caught.value


def test_one_program_is_expected() -> None:
    assert one_source(["x*y"], "eval") == "x*y"
    assert 'autodiff eval "x*y"' in (fault_of().hint or "")
    assert fault_of("z", "=", "x", "y").hint == 'quote the expression: autodiff eval "z = x y"'
    assert fault_of("x*y", "-x", "2").hint == "an input has two dashes: --x 2"


def test_a_pattern_that_the_shell_expanded_is_recognised() -> None:
    assert "quote the expression" in (fault_of("model.ad", "notes.txt").hint or "")
    assert "in place of a *" in (fault_of("2", "deep", "model.ad", "notes.txt", "x").hint or "")


def test_the_files_of_a_batch() -> None:
    assert batch_files(["deep"]) == ["deep/a.ad", "deep/b.ad", "deep/more/c.ad"]
    assert batch_files(["model.ad", "deep/*.py", "model.ad"]) == ["model.ad", "deep/d.py"]
    assert batch_files(["**/c.ad"]) == ["deep/more/c.ad"]
    assert batch_files(["-"]) == ["-"]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("modle.ad", "there is no file modle.ad"),
        ("*.nope", r"no file matches \*.nope"),
        ("empty", "there is no .ad file in empty"),
        ("z=x+y", "there is no file z=x"),
    ],
)
def test_a_batch_without_files(word: str, message: str, folder: Path) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(UsageFault, match=message):
        batch_files([word])


@pytest.mark.parametrize(("word", "stdin"), [("", b""), ("  \n", b""), ("-", b""), ("-", b" \n")])
def test_no_text_is_no_program(word: str, stdin: bytes) -> None:
    with pytest.raises(UsageFault, match="there is no program"):
        read_source(word, Environment(BytesIO(stdin), variables={}))


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("notes.txt", "there is a file of that name; to run it, write @notes.txt"),
        ("deep", "there is a folder of that name; to run its programs, write: autodiff run deep"),
        ("./deep", "there is a folder of that name; to run its programs, write: autodiff run ./deep"),
    ],
)
def test_a_path_that_is_read_as_text_is_told_how_to_be_run(word: str, hint: str) -> None:
    assert hint in autodiff("eval", word).err
