"""Values from files: what each format gives, and the fault that names the place."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.lib import format as npy_format

from autodiff_cli.data.files import read_value
from autodiff_cli.errors import DataFault, Fault, Status, UsageFault


def read(path: Path, content: str | bytes, keep_dtype: bool = False) -> Any:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_value(f"@{path}", "x", keep_dtype=keep_dtype)


def refusal(path: Path, content: str | bytes, keep_dtype: bool = False) -> Fault:
    with pytest.raises(DataFault) as caught:
        read(path, content, keep_dtype)
    return caught.value


def test_without_an_at_sign_it_is_a_value() -> None:
    assert read_value("[1, 2]", "x").tolist() == [1.0, 2.0]
    assert read_value("3", "x", keep_dtype=True) == 3


# --- CSV and TSV


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("x,y\n1,2\n3,4\n", [[1.0, 2.0], [3.0, 4.0]]),
        ("1,2\n3,4", [[1.0, 2.0], [3.0, 4.0]]),
        ("1,2,3\n", [[1.0, 2.0, 3.0]]),
        ("t\r\n1\r\n2\r\n\r\n  \r\n", [1.0, 2.0]),
        ("5\n", [5.0]),
        ("\n\n1,2\n", [[1.0, 2.0]]),
        ('"a","b"\n"1.5","2"\n', [[1.5, 2.0]]),
        ("# a,b\n1, 2 \n", [[1.0, 2.0]]),
        (",b\n1,2\n", [[1.0, 2.0]]),
        ("nan,inf\n-inf,1e-3\n", [[np.nan, np.inf], [-np.inf, 0.001]]),
        ("\ufeffx,y\n1,2\n", [[1.0, 2.0]]),
        ("1,2\r3,4\r", [[1.0, 2.0], [3.0, 4.0]]),
        ("gr\u00f6\u00dfe\n1\n", [1.0]),
    ],
)
def test_csv(tmp_path: Path, content: str, expected: list[Any]) -> None:
    value = read(tmp_path / "a.csv", content)
    assert value.dtype == np.float64
    np.testing.assert_array_equal(value, np.array(expected))


def test_tsv_utf16_and_upper_case(tmp_path: Path) -> None:
    assert read(tmp_path / "A.TSV", "a\tb\n1\t2\n").tolist() == [[1.0, 2.0]]
    assert read(tmp_path / "u.csv", "a,b\n1,2\n".encode("utf-16")).tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize(
    ("content", "dtype"), [("1\n2\n", "int64"), ("1\n2.5\n", "float64"), ("true\nfalse\n", "bool")]
)
def test_csv_keeps_dtype(tmp_path: Path, content: str, dtype: str) -> None:
    assert read(tmp_path / "a.csv", content, keep_dtype=True).dtype == dtype


@pytest.mark.parametrize(
    ("content", "message", "place"),
    [
        ("a,price\n1,2\n3,4.5.6\n", "line 3, column 2 (price): '4.5.6' has more than one", (3, 3, "4.5.6")),
        ("a,b\n1,ba,\n", "line 2 has 3 cells, the first line has 2 cells", (2, 1, "1,ba,")),
        ("1,2\n3\n", "line 2 has 1 cell, the first line has 2 cells", (2, 1, "3")),
        ("a,b\n1,\n", "line 2, column 2 (b): the cell is empty", (2, 3, "")),
        ("1.2.3\n2\n", "line 1, column 1: '1.2.3' has more than one", (1, 1, "1.2.3")),
        ("id,1,2\n3,4,5\n", "line 1, column 1: 'id' is not a number", (1, 1, "id")),
        ("1,2\n2a,a\n", "line 2, column 1: '2a' has letters", (2, 1, "2a")),
        ("1,2\nab,\u0663\n", "line 2, column 1: 'ab' is not", (2, 1, "ab")),
        ("1,2\n5,\u0663\n", "line 2, column 2: '\u0663' contains", (2, 3, "\u0663")),
        ('1,2\n"3",x\n', "line 2, column 2: 'x' is not a number", (2, 1, '"3",x')),
        ("1\n\n2\n", "line 2 is blank, and numbers follow it", None),
        ("a,b\n", "there is a header, and no row of numbers", None),
        ("", "is empty", None),
        (" \n\n", "is empty", None),
        ("1\0,2\n", "line 1 is not text: it holds a NUL", None),
        (b"a,b\n1,\xe9\n", "line 2 is not text (byte 6 is not UTF-8)", None),
        ('a\n"' + "1" * 200_000 + '"\n', "field larger than field limit", None),
    ],
)
def test_csv_faults(tmp_path: Path, content: str, message: str, place: tuple[int, int, str] | None) -> None:
    fault = refusal(tmp_path / "a.csv", content)
    assert fault.status == Status.DATA
    assert "a.csv" in fault.message and message in fault.message
    if place is None:
        assert fault.span is None
    else:
        assert fault.source is not None and fault.span is not None
        assert (*fault.source.position(fault.span.start), fault.source.slice(fault.span)) == place


@pytest.mark.parametrize(
    ("ending", "content", "hint"),
    [
        ("csv", "a;b\n1;2\n", "write commas between the cells of this file, not semicolons"),
        ("csv", "1\t2\n", "not tabs"),
        ("tsv", "1,2\n", "write tabs between the cells of this file, not commas"),
        ("csv", "id,1\n2,3\n", "a header consists of names alone"),
        ("csv", "1,2\n3,n/a\n", "write nan"),
    ],
)
def test_csv_hints(tmp_path: Path, ending: str, content: str, hint: str) -> None:
    assert hint in (refusal(tmp_path / f"a.{ending}", content).hint or "")


def test_csv_with_an_int_past_64_bits(tmp_path: Path) -> None:
    assert read(tmp_path / "a.csv", f"{2**70}\n").tolist() == [2.0**70]
    assert "64 bits" in refusal(tmp_path / "a.csv", f"{2**70}\n", keep_dtype=True).message


# --- JSON


def test_json(tmp_path: Path) -> None:
    value = read(tmp_path / "a.json", '[[1, 2],\n ["nan", "-inf"]]\n')
    np.testing.assert_array_equal(value, [[1, 2], [np.nan, -np.inf]])
    assert read(tmp_path / "n.json", " 3\n") == 3.0


def test_json_fault_names_the_line(tmp_path: Path) -> None:
    fault = refusal(tmp_path / "a.json", "[1,\n 2,\n x3]")
    assert fault.source is not None and fault.span is not None
    assert fault.source.name == str(tmp_path / "a.json")
    assert (*fault.source.position(fault.span.start), fault.source.slice(fault.span)) == (3, 2, "x3")
    assert "is an object" in refusal(tmp_path / "b.json", '{"x": [1]}').message


# --- NPY


def save(path: Path, array: Any, version: tuple[int, int] | None = None) -> Path:
    with path.open("wb") as file:
        npy_format.write_array(file, np.asanyarray(array), version=version)
    return path


@pytest.mark.parametrize(
    ("array", "kept"),
    [
        (np.arange(6.0).reshape(2, 3), "float64"),
        (np.asfortranarray(np.arange(6.0).reshape(2, 3)), "float64"),
        (np.arange(3, dtype=">f4"), "float32"),
        (np.ones(2, dtype=np.float16), "float32"),
        (np.ones(2, dtype=np.longdouble), "float64"),
        (np.arange(3, dtype=np.int16), "int64"),
        (np.arange(3, dtype=np.uint64), "int64"),
        (np.array([True, False]), "bool"),
        (np.zeros((0, 3)), "float64"),
    ],
)
def test_npy(tmp_path: Path, array: np.ndarray[Any, Any], kept: str) -> None:
    for version in ((1, 0), (2, 0)):
        path = save(tmp_path / "a.npy", array, version)
        for keep_dtype, dtype in ((False, "float64"), (True, kept)):
            value = read_value(f"@{path}", "x", keep_dtype=keep_dtype)
            assert value.dtype == dtype and value.dtype.isnative
            assert value.flags.writeable and value.flags.c_contiguous
            np.testing.assert_array_equal(value, array)


@pytest.mark.parametrize(
    ("scalar", "plain", "kept"),
    [(np.float64(2.5), 2.5, 2.5), (np.int32(7), 7.0, 7), (np.bool_(True), 1.0, True)],
)
def test_npy_of_no_dimensions_is_a_number(tmp_path: Path, scalar: Any, plain: float, kept: Any) -> None:
    path = save(tmp_path / "a.npy", scalar)
    value = read_value(f"@{path}", "x")
    assert type(value) is float and value == plain
    value = read_value(f"@{path}", "x", keep_dtype=True)
    assert type(value) is type(kept) and value == kept


@pytest.mark.parametrize(
    ("array", "what"),
    [
        (np.array([1j]), "complex numbers"),
        (np.array(["a"]), "text"),
        (np.zeros(2, dtype=[("a", float)]), "records"),
        (np.array(["2020-01-01"], dtype="datetime64[D]"), "dates"),
    ],
)
def test_npy_of_other_kinds(tmp_path: Path, array: Any, what: str) -> None:
    assert what in refusal(tmp_path / "b.npy", save(tmp_path / "a.npy", array).read_bytes()).message


def test_npy_never_unpickles(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> Any:
            return (os.mkdir, (str(tmp_path / "sprung"),))

    path = tmp_path / "a.npy"
    np.save(path, np.array([Trap()], dtype=object), allow_pickle=True)
    assert "Python objects" in refusal(tmp_path / "b.npy", path.read_bytes()).message
    assert not (tmp_path / "sprung").exists()


def test_damaged_npy(tmp_path: Path) -> None:
    whole = save(tmp_path / "a.npy", np.arange(6.0).reshape(2, 3)).read_bytes()
    path = tmp_path / "b.npy"
    assert "is cut off" in refusal(path, whole[:-3]).message
    assert "has bytes after its array" in refusal(path, whole + b"xx").message
    claims = whole[:128].replace(b"(2, 3), }", b"(9000000000000,), }")[:128]
    assert "72,000,000,000,000 bytes" in refusal(path, claims).message
    assert "is damaged" in refusal(path, whole.replace(b"(2, 3)", b"(-2,-3)")).message
    for junk in (
        b"",
        b"hello",
        whole[:40],
        whole[:8] + b"\xff\xff" + b"(" * 65535,
        whole.replace(b"'shape'", b"'shabe'"),
    ):
        assert "is not an .npy file" in refusal(path, junk).message


# --- names


def test_missing_file_suggests(tmp_path: Path) -> None:
    (tmp_path / "weights.npy").write_bytes(b"")
    with pytest.raises(UsageFault) as caught:
        read_value(f"@{tmp_path}/wieghts.npy", "x")
    assert caught.value.status == Status.USAGE
    assert caught.value.message == f"no such file: {tmp_path}/wieghts.npy"
    assert caught.value.hint == f"did you mean @{tmp_path}/weights.npy?"


@pytest.mark.parametrize(
    ("given", "says", "hint"),
    [
        ("@", "no file is named for x", "--x @FILE"),
        ("@nodir/a.csv", "no such file: nodir/a.csv", "there is no folder nodir"),
        ("@folder", "folder is a folder", "@folder/FILE"),
        ("@folder.csv", "folder.csv is a folder", "@folder.csv/FILE"),
        ("@a.txt", "cannot be read from a file that ends in .txt", "rename it to .csv"),
        ("@a.npz", "cannot be read from a file that ends in .npz", "save the one as .npy"),
        ("@a.dat", "cannot be read from a file that ends in .dat", ".npy, .json, .csv, .tsv"),
        ("@plain", "a file without an ending", ".npy, .json, .csv, .tsv"),
        ("@pipe", "a file without an ending", ".npy, .json, .csv, .tsv"),
        ("@a\0.csv", "cannot be read", ""),
        ("@a.txt/b.csv", "no such file", ""),
    ],
)
def test_unusable_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, says: str, hint: str) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "a.npz", "a.dat", "plain"):
        Path(name).write_text("1")
    for name in ("folder", "folder.csv"):
        Path(name).mkdir()
    os.mkfifo("pipe")
    with pytest.raises(UsageFault) as caught:
        read_value(given, "x")
    assert says in caught.value.message and hint in (caught.value.hint or "")


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise PermissionError

    monkeypatch.setattr("builtins.open", refuse)  # root may read every file
    with pytest.raises(UsageFault, match=r"a\.csv may not be read: permission denied"):
        read_value(f"@{tmp_path}/a.csv", "x")


def test_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "a.csv").write_text("1\n")
    assert read_value("@~/a.csv", "x").tolist() == [1.0]
