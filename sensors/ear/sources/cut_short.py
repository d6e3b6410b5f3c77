"""Truncated sound files: an incomplete copy, a full card, a recorder that was switched off.

libsndfile reads what is there and reports success; what the file promised is in its log, or in its own bytes. A file
that was written to a pipe promises the largest length or none: it is complete, as is an Ogg whose last page is whole.
An MP3 that does not state its length cannot be checked.
"""

from __future__ import annotations

import re
from pathlib import Path

PROMISED_BY_PIPES = 0x7EF00000  # bytes; SoX writes 0x7FFFF000 (WAV) or 0x7F000000 (AIFF), in whole samples
# what a header promises and the file lacks: for WAV, CAF, AIFF or AU the samples; for W64 and RF64, whose headers can
# promise any length, the whole file
PROMISES = re.compile(
    r"^ *(?:data|SSND|Data Size|(riff|Riff size)) *: (\d+) \(should be (\d+)\)", re.MULTILINE
)
PAGE, PAGE_HEADER, LARGEST_PAGE = b"OggS", 27, 65307  # bytes (RFC 3533, 6)
# flags of an MP3 that announce both fields, frames and bytes counted from this frame (the header of Xing and LAME)
LENGTH = re.compile(rb"(?:Xing|Info)\0\0\0[\x03\x07\x0b\x0f].{4}(.{4})", re.DOTALL)
FIRST_FRAME = 64  # bytes of it within which that header begins: at 38 at the latest
# share of its bytes; a smaller lack may be a tag that some program counted. mpg123 warns from here on
MP3_LACKS = 0.01


def breaks_off(path: Path, container: str, log: str) -> bool:
    """Has the file less than it promises? `container`: libsndfile's name of the format; `log`: its log. Raises
    OSError."""
    if container == "MP3":
        return _mp3_breaks_off(path)
    if container == "OGG":
        return _ogg_breaks_off(path)
    return any(
        int(there) < int(promised) and (bool(of_64_bits) or int(promised) < PROMISED_BY_PIPES)
        for of_64_bits, promised, there in PROMISES.findall(log)
    )


def _ogg_breaks_off(path: Path) -> bool:
    """Is the last page shorter than its header says? Whether it is marked as the last is not checked: not all writers
    do that."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 2 * LARGEST_PAGE))
        _, found, page = file.read().rpartition(PAGE)
    page = found + page
    if not found or len(page) < PAGE_HEADER:
        return bool(found)
    end = PAGE_HEADER + page[PAGE_HEADER - 1]  # plus the lengths of its segments
    return len(page) < end + sum(page[PAGE_HEADER:end])


def _mp3_breaks_off(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(10)
        # skip an ID3v2 tag before the sound; its length is four groups of seven bits
        tag = 10 + sum(byte << 7 * (3 - k) for k, byte in enumerate(head[6:])) if head[:3] == b"ID3" else 0
        file.seek(tag)
        found = LENGTH.search(file.read(FIRST_FRAME))
    promised = int.from_bytes(found[1], "big") if found else 0
    return path.stat().st_size - tag < (1 - MP3_LACKS) * promised
