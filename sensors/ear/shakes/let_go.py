"""Lets go of the pages of a library that is not needed again soon.

LLVM's library is by far the largest that an ear loads, and only places machine code, once. From Linux 6.18 on the
kernel maps most of such a file as soon as a part of it is read (benchmarks/ear_cost.py prints the size of what is
mapped).
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
from pathlib import Path


def let_go(library: str) -> None:
    """Take the pages of a shared library, by a part of its file's name, out of this process's memory. What is needed
    again is mapped again from the file, and what was changed in memory stays. Where this cannot be done, nothing is
    lost."""
    # elsewhere than on Linux there is no such list, nor perhaps such a call
    with contextlib.suppress(OSError, AttributeError):
        advise = ctypes.CDLL(None).madvise
        advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        begin, size = 0, 0
        for line in Path("/proc/self/smaps").read_text().splitlines():
            first, *rest = line.split(maxsplit=5)
            if not first.endswith(":"):
                begin, end = (int(address, 16) for address in first.split("-"))
                ours = len(rest) == 5 and library in Path(rest[-1]).name and "w" not in rest[0]
                size = end - begin if ours else 0
            # pages of its own: the loader wrote addresses into them, and no file has these
            elif first == "Anonymous:" and rest[0] == "0" and size:
                advise(begin, size, mmap.MADV_DONTNEED)
