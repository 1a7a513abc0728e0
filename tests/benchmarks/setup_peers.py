"""Makes the environment with the peers that the benchmarks compare with: PyTorch (CPU), JAX, autograd, micrograd."""

from __future__ import annotations

import subprocess
import sys

from common import PEER_PYTHON, PEERS

PACKAGES = ("torch==2.13.0", "jax", "autograd", "micrograd", "numpy")


def main() -> int:
    if not PEER_PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", str(PEERS)], check=True)
    for package in PACKAGES:
        done = subprocess.run([str(PEER_PYTHON), "-m", "pip", "install", "--quiet", package])
        print(f"{package}: {'installed' if done.returncode == 0 else 'not to be had here'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
