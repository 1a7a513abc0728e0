"""The cases of test_formatting.py, and the script that records what PyTorch prints for each.

    python tests/engine/record_formatting.py    (needs torch; writes formatting.json.gz beside it)

The cases are made from a seed with `random.random()` alone, whose stream Python promises to keep, so the
recording holds the answers only, with a digest of the cases they answer.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

RECORDING = Path(__file__).with_name("formatting.json.gz")
SEED = 20260727
RANDOM_CASES = 3600

FLOATS = ("float64", "float64", "float64", "float32")
INTEGERS = {"int64": 63, "int32": 31, "int16": 15, "int8": 7, "uint8": 8}
CORNERS = (
    0.0, -0.0, 1.0, -1.0, 0.5, math.inf, -math.inf, math.nan, 1e8, 1.0e8 + 1, 99999999.5, 1e-4, 0.9999e-4,
    1000.0, 1001.0, 0.99995, 9.99995, 9.99994, 999.99999, 1e16, 1e17, 123456789.0, 1e300, 1e-300, 5e-324,
    1.7976931348623157e308, 2.5, 0.00005, 0.00015, 1234.5678, -1234.5678, 3.4e38, 1e-45, 0.1, 1 / 3, 2**53,
    -(2.0**62),
)  # fmt: skip
SHAPES = (
    (), (), (1,), (2,), (3,), (5,), (9,), (17,), (30,), (64,), (1, 1), (2, 3), (3, 2), (1, 20), (20, 1),
    (4, 15), (2, 2, 2), (1, 3, 4), (3, 1, 2), (2, 1, 12), (2, 2, 1, 3), (1, 1, 1, 1, 2), (0,), (0, 3),
    (3, 0), (2, 0, 4), (0, 0),
)  # fmt: skip
LARGE = (
    (1000,), (1001,), (7, 143), (6, 167), (40, 26), (1001, 1), (1, 1001), (8, 8, 16), (2, 9, 60), (1200, 0),
    (3, 3, 3, 38), (7, 1, 8, 19),
)  # fmt: skip
SMALL_LIMITS = ((3,), (7,), (12,), (4, 4), (1, 9), (9, 1), (3, 3, 3), (2, 5, 2), ())


class Case(NamedTuple):
    """One tensor. `grad`: "no", "leaf", or a grad_fn's name; `options`: keywords of set_printoptions."""

    dtype: str
    shape: tuple[int, ...]
    values: list[Any]
    grad: str
    default_dtype: str
    options: dict[str, Any]


class Chance:
    """Choices made from `random.random()` only."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random

    def below(self, n: int) -> int:
        return int(self.random() * n)

    def pick(self, options: Any) -> Any:
        return options[self.below(len(options))]


def _float(chance: Chance, kind: int, scale: float) -> Any:
    u = chance.random()
    if kind == 0:
        return float(int((u - 0.5) * scale))
    if kind == 1:
        return (u - 0.5) * scale
    if kind == 2:
        return (u - 0.5) * 10.0 ** (chance.random() * 24 - 12)
    if kind == 3:
        return chance.pick(CORNERS)
    if kind == 4:
        return chance.pick(CORNERS) if u < 0.2 else float(chance.below(50))
    if kind == 5:
        return round((u - 0.5) * scale, chance.below(6))
    return chance.pick((0.0, -0.0, math.nan, math.inf, -math.inf))


def _values(chance: Chance, dtype: str, count: int) -> list[Any]:
    if dtype == "bool":
        likely = chance.random()
        return [chance.random() < likely for _ in range(count)]
    if dtype in INTEGERS:
        bits = 1 + chance.below(INTEGERS[dtype])
        low = 0 if dtype == "uint8" or chance.random() < 0.3 else -(2**bits)
        return [low + int(chance.random() * (2**bits - 1 - low)) for _ in range(count)]
    kind, scale = chance.below(7), 10.0 ** (chance.below(22) - 8)
    values = [_float(chance, kind, scale) for _ in range(count)]
    if chance.random() < 0.2:
        values = [chance.pick(CORNERS) if chance.random() < 0.1 else v for v in values]
    return values


def _grad(chance: Chance, dtype: str) -> str:
    if "float" not in dtype or chance.random() < 0.4:
        return "no"
    return "leaf" if chance.random() < 0.4 else "F" * (1 + chance.below(40)) + "Backward"


def _options(chance: Chance) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for name, choices in (
        ("precision", (0, 1, 2, 6, 10)),
        ("threshold", (0, 1, 2, 5, 20, math.inf)),
        ("edgeitems", (0, 1, 2, 3)),
        ("linewidth", (1, 10, 20, 40, 60, 120)),
        ("profile", ("default", "short", "full")),
        ("sci_mode", (True, False)),
    ):
        if chance.random() < 0.35:
            options[name] = chance.pick(choices)
    return options


def cases() -> Iterator[Case]:
    """Every case, in a fixed order."""
    chance = Chance(SEED)
    for corner in CORNERS:
        for dtype in ("float64", "float32"):
            yield Case(dtype, (), [corner], "no", "float64", {})
            yield Case(dtype, (2,), [corner, chance.pick(CORNERS)], "leaf", "float64", {})
    for dtype in ("float64", "float32", "bool", *INTEGERS):
        for shape in (*SHAPES, *LARGE):
            yield Case(dtype, shape, _values(chance, dtype, math.prod(shape)), "no", "float64", {})
    for _ in range(RANDOM_CASES):
        dtype = chance.pick(FLOATS) if chance.random() < 0.75 else chance.pick((*INTEGERS, "bool"))
        options = _options(chance) if chance.random() < 0.3 else {}
        few = SMALL_LIMITS if options.get("threshold", 1000) < 1000 else SHAPES
        shape = chance.pick(LARGE) if chance.random() < 0.03 else chance.pick(few)
        default = "float32" if chance.random() < 0.1 else "float64"
        yield Case(dtype, shape, _values(chance, dtype, math.prod(shape)), _grad(chance, dtype), default, options)


def digest() -> str:
    """A fingerprint of all the cases: a recording answers exactly these."""
    fold = hashlib.sha256()
    for case in cases():
        fold.update(repr(case).encode())
    return fold.hexdigest()


def _print_with_torch(case: Case) -> str:
    import torch

    torch.set_default_dtype(getattr(torch, case.default_dtype))
    torch.set_printoptions(profile="default")
    if case.options:
        torch.set_printoptions(**case.options)
    tensor = torch.tensor(case.values, dtype=getattr(torch, case.dtype)).reshape(case.shape)
    if case.grad != "no":
        tensor.requires_grad_()
    if case.grad not in ("no", "leaf"):
        rules = {
            "forward": staticmethod(lambda ctx, x: x.clone()),
            "backward": staticmethod(lambda ctx, g: g),
        }
        function: Any = type(case.grad.removesuffix("Backward"), (torch.autograd.Function,), rules)
        tensor = function.apply(tensor)
    return str(tensor)


def record() -> None:
    import torch

    answers = [_print_with_torch(case) for case in cases()]
    document = {"torch": torch.__version__.split("+")[0], "digest": digest(), "answers": answers}
    with RECORDING.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as packed:
        packed.write(json.dumps(document).encode())
    print(f"{len(answers)} answers, {RECORDING.stat().st_size:,} bytes")


if __name__ == "__main__":
    record()
