"""Cost as work grows: the loop `z = z*x + y` from 10^4 to 10^7 operations, time and memory an operation.

Linear growth shows as columns that stay as they are. `--most 6` stops at 10^6 (10^7 needs about 2 GiB).
"""

from __future__ import annotations

import argparse
import sys

from common import median, side_by_side, table
from loops import ours


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--most", type=int, default=7, help="the largest power of ten (default 7)")
    most = parser.parse_args().most
    rows = [["operations", "seconds", "µs an operation", "peak MiB", "bytes an operation"]]
    base = 0.0
    for power in range(4, most + 1):
        operations = 10**power
        runs = side_by_side({"autodiff": ours("loop", operations // 2)}, 3 if power < 7 else 1)["autodiff"]
        seconds = median([s.report()["seconds"] for s in runs])
        peak = median([s.report()["peak"] for s in runs])
        base = base or peak
        memory = f"{(peak - base) / (operations - 10**4):.0f}" if power > 4 else ""
        rows.append(
            [f"{operations:,}", f"{seconds:.3f}", f"{seconds / operations * 1e6:.2f}", f"{peak / 2**20:.0f}", memory]
        )
    table("Cost as work grows", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
