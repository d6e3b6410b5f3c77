"""FLAC files that do not state their length: the encoder wrote to a pipe and could not go back to the header.

libsndfile takes them for files of the largest length that are truncated. The header of the last frame shows the length
(RFC 9639, 9.1), and libsndfile is given the file with that length filled in.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

NO_LENGTH = 2**63 - 1  # samples: libsndfile's value for an unknown length
MAGIC = b"fLaC"
BLOCK_HEADER = 4  # bytes; the first metadata block, STREAMINFO, has a fixed size and is always there
# Byte positions in the file: of the largest frame's sample count, and of the total number of samples, up to its last
# byte.
LARGEST_AT = 10
LENGTH_AT = 21
LENGTH_END = 26
LENGTH_BITS = 36  # bits of that number, which ends there
SYNC = (0xFFF8, 0xFFF9)  # frames of fixed size carry their number, others their first sample
HEADER = 16  # bytes of a frame header, at most
CRC = 0x07  # x⁸ + x² + x + 1, for headers
CHUNK = 2**16  # bytes


@contextmanager
def with_length(path: Path) -> Iterator[Path | io.FileIO]:
    """What soundfile is to open: the file itself, or, where it is a FLAC without a length, one with the length filled
    in. Raises OSError."""
    length = length_of(path)
    if length is None:
        yield path
        return
    with _Lengthened(path, length) as file:
        yield file


def length_of(path: Path) -> int | None:
    """Samples (of each channel) in a FLAC that does not state them; None where it does, where it is no FLAC, or where
    no frame header is found. Raises OSError."""
    with path.open("rb") as file:
        head = file.read(LENGTH_END)
        if not head.startswith(MAGIC) or len(head) < LENGTH_END or _told(head[LENGTH_AT:]):
            return None
        frames = _first_frame(file)
        file.seek(frames)
        first, end = file.read(HEADER), file.seek(0, os.SEEK_END)
        largest = int.from_bytes(head[LARGEST_AT:][:2])
        while end > frames:
            begin = max(frames, end - CHUNK)
            file.seek(begin)
            # a frame header that begins in the chunk may end after it
            chunk = file.read(end - begin + HEADER)
            at = end - begin
            while (at := chunk.rfind(first[:2], 0, at + 1)) >= 0:
                samples = _samples_to_its_end(chunk[at : at + HEADER], first, largest)
                if samples is not None:
                    return samples
            end = begin
    return None


def _told(length: bytes) -> int:
    return int.from_bytes(length) & ((1 << LENGTH_BITS) - 1)


def _first_frame(file: BinaryIO) -> int:
    """The position of the first frame, after all metadata."""
    at, last = len(MAGIC), False
    while not last:
        file.seek(at)
        block = file.read(BLOCK_HEADER)
        last = len(block) < BLOCK_HEADER or block[0] >= 0x80
        at += BLOCK_HEADER + int.from_bytes(block[1:])
    return at


def _samples_to_its_end(header: bytes, first: bytes, largest: int) -> int | None:
    """Samples from the beginning of the sound to the end of the frame with this header; None where it is no frame
    header, or its sample rate and bits differ from those of the stream's first frame."""
    if len(header) < 6 or int.from_bytes(header[:2]) not in SYNC or header[:2] != first[:2]:
        return None
    code = header[2] >> 4
    if code == 0 or (header[2] ^ first[2]) & 0x0F or (header[3] ^ first[3]) & 0x0F:
        return None
    # a number coded as in UTF-8: the leading ones of its first byte tell how many bytes it has
    many = max(1, 8 - (header[4] ^ 0xFF).bit_length())
    number = header[4] & (0x7F >> (many if many > 1 else 0))
    for byte in header[5 : 4 + many]:
        number = number << 6 | byte & 0x3F
    at = 4 + many
    if code in (6, 7):  # the block size follows the number
        size = int.from_bytes(header[at : at + code - 5]) + 1
        at += code - 5
    else:
        size = 192 if code == 1 else 576 << code - 2 if code < 6 else 256 << code - 8
    at += {12: 1, 13: 2, 14: 2}.get(header[2] & 0x0F, 0)  # and so may the sample rate
    if at >= len(header) or _crc(header[:at]) != header[at]:
        return None
    return (number if int.from_bytes(header[:2]) == SYNC[1] else number * largest) + size


def _crc(header: bytes) -> int:
    crc = 0
    for byte in header:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ (CRC if crc & 0x80 else 0)) & 0xFF
    return crc


class _Lengthened(io.FileIO):
    """A file in which `LENGTH_AT` holds another length than the one on disk."""

    def __init__(self, path: Path, length: int) -> None:
        super().__init__(path)
        before = os.pread(self.fileno(), LENGTH_END - LENGTH_AT, LENGTH_AT)
        bits = length & ((1 << LENGTH_BITS) - 1)
        self._told = (int.from_bytes(before) | bits).to_bytes(len(before))

    def readinto(self, buffer: Any) -> int:
        """Read into a writable buffer of bytes."""
        at = self.tell()
        read = super().readinto(buffer)
        for i in range(max(at, LENGTH_AT), min(at + read, LENGTH_END)):
            memoryview(buffer)[i - at : i - at + 1] = self._told[i - LENGTH_AT : i - LENGTH_AT + 1]
        return read
