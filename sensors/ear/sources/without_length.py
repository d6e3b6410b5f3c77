"""FLAC files that do not say how long they are: their encoder wrote to a pipe, and could not go back to the header.

libsndfile takes them to be as long as can be, and broken where they end. Their last frame's header tells (RFC 9639,
9.1), and libsndfile is shown the file with that length in place.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

NO_LENGTH = 2**63 - 1  # samples: libsndfile's word for it
MAGIC = b"fLaC"
BLOCK_HEADER = 4  # bytes; the first block of metadata, STREAMINFO, is of one length and always there
# Bytes of the file: where the largest frame's samples stand, and where all samples do, up to the last of these.
LARGEST_AT = 10
LENGTH_AT = 21
LENGTH_END = 26
LENGTH_BITS = 36  # the last of these
SYNC = (0xFFF8, 0xFFF9)  # frames of one size are numbered, of others their first sample is
HEADER = 16  # bytes of a frame's, at most
CRC = 0x07  # x⁸ + x² + x + 1, of a header
CHUNK = 2**16  # bytes


@contextmanager
def with_length(path: Path) -> Iterator[Path | io.FileIO]:
    """What soundfile is to open: the file itself, or, where it is a FLAC that does not say its length, one that does.
    Raises OSError."""
    length = length_of(path)
    if length is None:
        yield path
        return
    with _Lengthened(path, length) as file:
        yield file


def length_of(path: Path) -> int | None:
    """Samples (of each channel) in a FLAC that does not say how many; None where it does, or is none, or no frame's
    header is found. Raises OSError."""
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
            chunk = file.read(end - begin + HEADER)  # the header of one that begins in it may end behind it
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
    """Where it begins, behind all metadata."""
    at, last = len(MAGIC), False
    while not last:
        file.seek(at)
        block = file.read(BLOCK_HEADER)
        last = len(block) < BLOCK_HEADER or block[0] >= 0x80
        at += BLOCK_HEADER + int.from_bytes(block[1:])
    return at


def _samples_to_its_end(header: bytes, first: bytes, largest: int) -> int | None:
    """From the beginning of the sound to the end of the frame with this header; None where it is none, or not of the
    stream whose first frame begins so: its rate and its bits are that one's."""
    if len(header) < 6 or int.from_bytes(header[:2]) not in SYNC or header[:2] != first[:2]:
        return None
    code = header[2] >> 4
    if code == 0 or (header[2] ^ first[2]) & 0x0F or (header[3] ^ first[3]) & 0x0F:
        return None
    # a number of several bytes as in UTF-8: as many as its first one has leading ones
    many = max(1, 8 - (header[4] ^ 0xFF).bit_length())
    number = header[4] & (0x7F >> (many if many > 1 else 0))
    for byte in header[5 : 4 + many]:
        number = number << 6 | byte & 0x3F
    at = 4 + many
    if code in (6, 7):  # its size is behind the number
        size = int.from_bytes(header[at : at + code - 5]) + 1
        at += code - 5
    else:
        size = 192 if code == 1 else 576 << code - 2 if code < 6 else 256 << code - 8
    at += {12: 1, 13: 2, 14: 2}.get(header[2] & 0x0F, 0)  # and so may be its rate
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
    """A file of which `LENGTH_AT` tells another length than stands there."""

    def __init__(self, path: Path, length: int) -> None:
        super().__init__(path)
        before = os.pread(self.fileno(), LENGTH_END - LENGTH_AT, LENGTH_AT)
        bits = length & ((1 << LENGTH_BITS) - 1)
        self._told = (int.from_bytes(before) | bits).to_bytes(len(before))

    def readinto(self, buffer: Any) -> int:
        """Into a writable buffer of bytes."""
        at = self.tell()
        read = super().readinto(buffer)
        for i in range(max(at, LENGTH_AT), min(at + read, LENGTH_END)):
            memoryview(buffer)[i - at : i - at + 1] = self._told[i - LENGTH_AT : i - LENGTH_AT + 1]
        return read
