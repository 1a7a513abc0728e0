"""The `.npy` format: a short header that describes an array, then the array's bytes.

Read here rather than by `numpy.load`, so that the size which the header claims is compared with the bytes
that are there before anything is allocated, and so that a pickle is never near.

Invariant: the array returned owns its memory, is writable, C-contiguous and in native byte order.
"""

from __future__ import annotations

import io
import math
from typing import Any

from autodiff_cli.data.values import MAX_DIMENSIONS
from autodiff_cli.errors import DataFault

_KINDS = {
    "c": "complex numbers",
    "O": "Python objects",
    "U": "text",
    "S": "text",
    "V": "records",
    "M": "dates",
    "m": "durations",
}


def parse_npy(content: bytearray, path: str, keep_dtype: bool) -> Any:
    """The array in the bytes of an `.npy` file; a Python number where it is 0-d.

    float64, or with `keep_dtype` bool, int64, float32 or float64. Raises DataFault.
    """
    import numpy as np

    dtype, shape, fortran, start = _header(content, path)
    if dtype.kind not in "fiub":
        kind = _KINDS.get(dtype.kind, str(dtype))
        raise DataFault(f"{path} holds {kind} (dtype {dtype}), not numbers", hint="save it as float64, int64 or bool")
    expected = math.prod(shape) * dtype.itemsize
    present = len(content) - start
    if present != expected:
        what = "is cut off" if present < expected else "has bytes after its array"
        raise DataFault(f"{path} {what}: its header says {expected:,} bytes of numbers, there are {present:,}")
    array = np.frombuffer(content, dtype=dtype, offset=start).reshape(shape, order="F" if fortran else "C")
    target = _kept(array, path) if keep_dtype else np.dtype(np.float64)
    array = np.ascontiguousarray(array, dtype=target).reshape(shape)
    if array.ndim == 0 and target != np.float32:
        return array.item()
    return array


def _kept(array: Any, path: str) -> Any:
    """The dtype among the engine's that holds the array's numbers."""
    import numpy as np

    kind = array.dtype.kind
    if kind == "b":
        return np.dtype(np.bool_)
    if kind == "f":
        return np.dtype(np.float32 if array.dtype.itemsize <= 4 else np.float64)
    if kind == "u" and array.size and array.max() >= 2**63:
        raise DataFault(f"{path} holds {array.max()}, which does not fit in 64 bits with a sign")
    return np.dtype(np.int64)


def _header(content: bytearray, path: str) -> tuple[Any, tuple[int, ...], bool, int]:
    """(dtype, shape, column-major?, offset of the first number)."""
    from numpy.lib import format as npy

    stream: Any = io.BytesIO(memoryview(content)[: 1 << 17])
    try:
        version = npy.read_magic(stream)
        if version == (1, 0):
            shape, fortran, dtype = npy.read_array_header_1_0(stream)
        elif version == (2, 0):
            shape, fortran, dtype = npy.read_array_header_2_0(stream)
        else:  # 3.0 differs in the names of records, which are refused anyhow
            raise DataFault(f"{path}: this version of the format holds records, not numbers")
    except (ValueError, EOFError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise DataFault(f"{path} is not an .npy file", hint="numpy.save writes one") from None
    if len(shape) > MAX_DIMENSIONS or any(length < 0 for length in shape):
        raise DataFault(f"{path} is damaged: its header says that the shape is {shape}"[:200])
    return dtype, shape, fortran, stream.tell()
