"""The entry: `autodiff` and `python -m autodiff_cli`."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line of this process; its exit code."""
    try:
        from autodiff_cli.cli.main import main as run

        return run()
    except KeyboardInterrupt:  # while modules were being imported
        return 130


if __name__ == "__main__":
    sys.exit(main())
