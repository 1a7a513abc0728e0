#!/usr/bin/env python3
"""Records what real PyTorch prints for the programs of this folder: `NNN_topic.py` -> `NNN_topic.out`.

    python record.py [FILTER ...]            rewrite the .out files, all or those with a FILTER in the name
    python record.py --check [FILTER ...]    write nothing; say which recordings PyTorch would not reproduce

To be run by a Python that has the PyTorch named in `TORCH`; another version is refused: its printing may
differ. Invariant: a recording exists only of a program that ended well. One that raises, or prints nothing,
keeps its old .out file and makes the exit status 1.

Each program runs in a forked child, so the second that `import torch` takes is paid once.
"""

from __future__ import annotations

import argparse
import os
import runpy
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

TORCH = "2.13"
FOLDER = Path(__file__).resolve().parent


def run_forked(path: Path) -> tuple[int, str]:
    """Exit status and standard output of one program, run in a child process."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="") as out:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            _run_here(path, out.fileno())
        _, wait_status = os.waitpid(child, 0)
        out.seek(0)
        return os.waitstatus_to_exitcode(wait_status), out.read()


def _run_here(path: Path, stdout: int) -> None:
    """The child's life: never returns."""
    status = 1
    try:
        os.dup2(stdout, 1)
        warnings.simplefilter("ignore")
        runpy.run_path(str(path), run_name="__main__")
        sys.stdout.flush()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("filters", nargs="*", metavar="FILTER")
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()

    import torch

    if not torch.__version__.startswith(TORCH):
        parser.error(f"recordings are of PyTorch {TORCH}; this is {torch.__version__}")
    torch.set_num_threads(1)

    programs = [
        path
        for path in sorted(FOLDER.glob("[0-9]*.py"))
        if not options.filters or any(f in path.stem for f in options.filters)
    ]
    failed = changed = 0
    for path in programs:
        status, out = run_forked(path)
        recording = path.with_suffix(".out")
        if status or not out.strip():
            print(f"{path.stem}: not recorded, {f'exit status {status}' if status else 'it prints nothing'}")
            failed += 1
        elif not recording.exists() or recording.read_text(encoding="utf-8") != out:
            print(f"{path.stem}: {'differs' if options.check else 'recorded'}")
            changed += 1
            if not options.check:
                recording.write_text(out, encoding="utf-8")
    print(f"{len(programs)} programs, {changed} {'differ' if options.check else 'rewritten'}, {failed} failed")
    return 1 if failed or (options.check and changed) else 0


if __name__ == "__main__":
    sys.exit(main())
