"""Record PyTorch's answers.

    python tests/oracle/record.py [family ...]        (where torch is installed)

Writes `answers_<family>.json.gz` beside this file: PyTorch's version, and for each group a digest of its cases and
their answers in order. The bytes depend on the cases and PyTorch alone.
"""

from __future__ import annotations

import gzip
import importlib
import json
import sys
import warnings
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))

from oracle.case import GROUPS, digest  # noqa: E402

MODULES = tuple(sorted(p.stem for p in HERE.glob("cases_*.py")))
for _module in MODULES:
    importlib.import_module(f"oracle.{_module}")

FAMILIES = tuple(sorted({g.family for g in GROUPS.values()}))


def recording(family: str) -> Path:
    """Where a family's answers are kept."""
    return HERE / f"answers_{family}.json.gz"


def live(name: str) -> list[dict[str, Any]]:
    """PyTorch's answers to the cases of a group, now."""
    from oracle.running import answer
    from oracle.torch_side import TorchSide

    side = TorchSide()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [answer(case, side) for case in GROUPS[name].cases]


def record(family: str) -> None:
    import torch

    groups = {name: {"digest": digest(g), "answers": live(name)} for name, g in GROUPS.items() if g.family == family}
    document = {"torch": torch.__version__.split("+")[0], "groups": groups}
    with recording(family).open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        packed.write(json.dumps(document, separators=(",", ":")).encode())
    count = sum(len(g["answers"]) for g in groups.values())
    print(f"{family}: {len(groups)} groups, {count} cases, {recording(family).stat().st_size:,} bytes")


def load(family: str) -> dict[str, Any]:
    """A family's recorded answers."""
    document: dict[str, Any] = json.loads(gzip.decompress(recording(family).read_bytes()))
    return document


if __name__ == "__main__":
    for chosen in sys.argv[1:] or FAMILIES:
        record(chosen)
