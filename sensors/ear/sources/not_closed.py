"""WAV files that hold more sound than their header says: the recorder lost power before it wrote the length.

libsndfile reads what the header promises, perhaps nothing, and reports success. The bytes behind it need not be sound:
text and picture chunks, tags that programs append without one, and padding.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

LEAST_SOUND_S = 0.1  # fewer bytes are a slip of the program that wrote the header
MOST_CHUNKS = 1000  # that are searched
TAGS = (b"ID3", b"TAG", b"APETAGEX")
BLOCK = 2**16  # bytes


def not_closed(path: Path, container: str, heard_s: float) -> bool:
    """Is there sound that the header does not promise? `container`: libsndfile's name of the format; `heard_s`: what
    libsndfile reads, which repairs some such files itself. Raises OSError."""
    if container not in ("WAV", "WAVEX"):
        return False
    size = path.stat().st_size
    with path.open("rb") as file:
        if file.read(4) != b"RIFF":
            return False
        at, a_second = 12, 0  # position, and bytes a second from the format chunk
        for _ in range(MOST_CHUNKS):
            file.seek(at)
            name, length = file.read(4), int.from_bytes(file.read(4), "little")
            at += 8
            if name == b"data":
                break
            if name == b"fmt ":
                a_second = int.from_bytes(file.read(12)[8:], "little")
            at += length + length % 2
        else:
            return False
        more = size - at - max(length, round(heard_s * a_second))
        return more > LEAST_SOUND_S * a_second > 0 and not _is_other(file, at + length, size)


def _is_other(file: BinaryIO, at: int, size: int) -> bool:
    """Is what follows there something other than sound?"""
    for start in {at, at + at % 2}:  # not all writers pad to an even position
        file.seek(start)
        name, length = file.read(4), int.from_bytes(file.read(4), "little")
        if name.isascii() and name.decode().isprintable() and length <= size - start - 8:
            return True
    file.seek(at)
    block = file.read(BLOCK)
    if block.startswith(TAGS):
        return True
    first = block[:1]
    while block:
        if block.count(first) != len(block):
            return False
        block = file.read(BLOCK)
    return True
