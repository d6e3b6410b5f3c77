"""Checks before the work, not after it, whether a command's output file can be written."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from pathlib import Path
from tempfile import TemporaryFile

from firmware_bridge.errors import UsageError

# how such files begin, without spaces
PROFILE, PAGE = b'{"format":"polartable', b"<!doctypehtml"
# of one game: as the terminal's `save` writes it, and as lines of the journal
RECORD, EXPORT = b'{"format":1,', b'{"seq":'


def check_out(out: Path, begins: bytes, *, replaced: bool = False) -> None:
    """Check that the file can be written, before hours of work. Raises UsageError.

    begins: how such a file begins, in lower case and without spaces. An existing file that begins otherwise is
    somebody's list, sound or letter, and is not overwritten.

    replaced: the new file is written beside the old one and then replaces it. So the folder's permissions count, not
    the file's, and a device must not be taken for a file.
    """
    folder = out.parent
    why, mend = "", "name a file in a folder of your own"
    try:
        if str(out) == "-":
            why = "standard output is no file"
        elif out.is_dir():
            why = "it is a folder"
        elif not folder.is_dir():
            why = f"there is no folder {folder}"
        elif replaced and out.exists() and not out.is_file():
            why = "it is a device or a pipe, and a file is replaced by a new one"
        elif not os.access(*(folder, os.W_OK | os.X_OK) if replaced or not out.exists() else (out, os.W_OK)):
            why = "it may not be written to"
        elif out.is_file() and not _is_like(out, begins):
            # the wizard's page names the file itself
            why, mend = (
                "what is there is something else, and would be lost",
                "move it away, or name another file",
            )
        # permissions are not everything: some folders accept no files at all
        elif replaced or not out.exists():
            with TemporaryFile(dir=folder):
                pass
    except OSError as error:
        why = error.strerror or "it cannot be looked at"
    if why:
        raise UsageError(f"{out} cannot be written ({why})", mend)


def _is_like(file: Path, begins: bytes) -> bool:
    """Whether it is empty or begins like that. Raises OSError."""
    with file.open("rb") as opened:
        # an editor may have put a byte order mark first
        start = b"".join(opened.read(4096).removeprefix(BOM_UTF8).lower().split())
    return start.startswith(begins) or not start
