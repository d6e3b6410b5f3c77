"""Sound files that were cut short: a copy that broke off, a full card, a recorder that was switched off.

libsndfile reads what is there and reports success; what the file promised is found in its log, or in its own bytes.
One that was written to a pipe promises all that can be promised, or nothing: it has just ended, as has an Ogg whose
last page is whole. An MP3 that does not name its own length is not told either.
"""

from __future__ import annotations

import re
from pathlib import Path

PROMISED_BY_PIPES = 0x7EF00000  # bytes; SoX writes 0x7FFFF000 (WAV) or 0x7F000000 (AIFF), in whole samples
# what a header promises and the file has not: the samples of a WAV, CAF, AIFF or AU; of W64 and RF64, whose headers can
# promise any file, all of it
PROMISES = re.compile(
    r"^ *(?:data|SSND|Data Size|(riff|Riff size)) *: (\d+) \(should be (\d+)\)", re.MULTILINE
)
PAGE, PAGE_HEADER, LARGEST_PAGE = b"OggS", 27, 65307  # bytes (RFC 3533, 6)
# of an MP3, flags that name both fields, its frames and its bytes from this very frame on (the header of Xing and LAME)
LENGTH = re.compile(rb"(?:Xing|Info)\0\0\0[\x03\x07\x0b\x0f].{4}(.{4})", re.DOTALL)
FIRST_FRAME = 64  # bytes of it, in which that header begins: at 38 at the latest
MP3_LACKS = 0.01  # share of its bytes; less may be a tag that some program counted. mpg123 warns from here on


def breaks_off(path: Path, container: str, log: str) -> bool:
    """Has the file less than it promises? `container`: libsndfile's name of it; `log`: its log. Raises OSError."""
    if container == "MP3":
        return _mp3_breaks_off(path)
    if container == "OGG":
        return _ogg_breaks_off(path)
    return any(
        int(there) < int(promised) and (bool(of_64_bits) or int(promised) < PROMISED_BY_PIPES)
        for of_64_bits, promised, there in PROMISES.findall(log)
    )


def _ogg_breaks_off(path: Path) -> bool:
    """Is the last page shorter than its header says? That it is the last one is not asked: not all mark it."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 2 * LARGEST_PAGE))
        _, found, page = file.read().rpartition(PAGE)
    page = found + page
    if not found or len(page) < PAGE_HEADER:
        return bool(found)
    end = PAGE_HEADER + page[PAGE_HEADER - 1]  # of the lengths of its segments
    return len(page) < end + sum(page[PAGE_HEADER:end])


def _mp3_breaks_off(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(10)
        # an ID3v2 tag before the sound; its length is in four times seven bits
        tag = 10 + sum(byte << 7 * (3 - k) for k, byte in enumerate(head[6:])) if head[:3] == b"ID3" else 0
        file.seek(tag)
        found = LENGTH.search(file.read(FIRST_FRAME))
    promised = int.from_bytes(found[1], "big") if found else 0
    return path.stat().st_size - tag < (1 - MP3_LACKS) * promised
