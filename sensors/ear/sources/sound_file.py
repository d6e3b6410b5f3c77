"""Sound files as blocks of samples: WAV, FLAC and everything else that libsndfile reads, at their own rate."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.host.spelling import in_other_case, spelled_otherwise
from sensors.bridged import Bridged
from sensors.ear.errors import SoundError, no_sound
from sensors.ear.frames.frontend import Array
from sensors.ear.sources.cut_short import breaks_off
from sensors.ear.sources.not_closed import not_closed
from sensors.ear.sources.quiet import quiet
from sensors.ear.sources.without_length import NO_LENGTH, with_length

BLOCK_S = 0.5
SHORTEST_S = 0.3
MOST_LOST = 0.01  # of all samples may be NaN or infinite
FLOATS = ("FLOAT", "DOUBLE")
FINE = (*FLOATS, "PCM_24", "PCM_32")


@dataclass(frozen=True, slots=True)
class SoundFile:
    """The properties of an opened file; `blocks()` reads it anew as float32[samples, channels]."""

    path: Path
    rate: float  # Hz
    channels: int
    samples: int
    floats: bool  # values are as written, not shares of full scale
    fine: bool = False  # more than 16 bits: very soft values are sound, not rounding
    breaks_off: bool = False  # the header promises more
    subtype: str = ""  # libsndfile's name of the sample format
    size: int = 0  # bytes

    @property
    def seconds(self) -> float:
        return self.samples / self.rate

    def blocks(self, until_s: float = math.inf, *, as_written: bool = False) -> Iterator[Array]:
        """NaN and infinite samples are bridged, unless they are wanted `as_written`. Raises SoundError where the file
        breaks off, and at its end (or at `until_s`, where reading stops) where too many were bridged."""
        import soundfile

        bridged = Bridged()

        try:
            with ExitStack() as opened:
                with_its_length = opened.enter_context(with_length(self.path))
                with quiet(self.path):
                    file = opened.enter_context(soundfile.SoundFile(with_its_length))
                while bridged.seen < until_s * self.rate * self.channels:
                    block = file.read(round(BLOCK_S * self.rate), dtype="float32", always_2d=True)
                    if not len(block):
                        break
                    mended = bridged.push(block)
                    yield block if as_written else mended
        except (soundfile.SoundFileError, OSError, RuntimeError) as error:
            raise _broken(self.path) from error
        if self.breaks_off:
            raise _broken(self.path)
        if bridged.lost > MOST_LOST * bridged.seen:
            raise SoundError(
                f"{bridged.lost / bridged.seen:.0%} of the samples in {self.path} are no numbers (NaN or infinite)",
                "look at what writes it, and record it again",
            )


def _broken(path: Path) -> SoundError:
    return SoundError(f"{path} breaks off in the middle", "copy or record it again")


def open_sound(path: Path) -> SoundFile:
    """Examine a file. Raises SoundError, with one sentence, where it is missing, not sound, empty or too short."""
    import soundfile

    again = "record it again, or take it out"
    try:
        path = _there(path)
        if path.is_dir():
            raise SoundError(f"{path} is a folder, not a sound file", "name a WAV or FLAC file")
        if not path.is_file():
            raise SoundError(f"{path} is a pipe or a device, not a sound file", "record to a WAV file first")
        if path.stat().st_size == 0:
            raise SoundError(f"{path} is empty", again)
        with with_length(path) as with_its_length, quiet(path):
            info = soundfile.info(with_its_length, verbose=True)
        broken = breaks_off(path, info.format, info.extra_info)
        more = info.samplerate > 0 and not_closed(path, info.format, info.frames / info.samplerate)
    except UnicodeEncodeError as error:
        # readers of our lines could not write the name either
        legible = os.fsencode(path).decode("utf-8", "replace")
        raise SoundError(f"the name of {legible} is not in UTF-8", "rename it") from error
    except (soundfile.SoundFileError, RuntimeError) as error:
        raise no_sound(path) from error
    except OSError as error:
        raise SoundError(f"{path} cannot be opened ({error.strerror})", "check its permissions") from error
    if more:
        raise SoundError(
            f"{path} holds more sound than its header says: it was not closed when it was recorded",
            "write it anew with `sox --ignore-length OLD.wav NEW.wav`",
        )
    if info.frames == NO_LENGTH:
        raise _broken(path)
    if info.frames <= 0 or info.samplerate <= 0:
        raise SoundError(f"{path} is empty", again)
    if info.frames < SHORTEST_S * info.samplerate:
        raise SoundError(
            f"{path} is too short ({info.frames / info.samplerate:.2f} s)", "shake for at least a second"
        )
    return SoundFile(
        path=path,
        rate=float(info.samplerate),
        channels=int(info.channels),
        samples=int(info.frames),
        floats=info.subtype in FLOATS,
        fine=info.subtype in FINE,
        breaks_off=broken,
        subtype=info.subtype,
        size=path.stat().st_size,
    )


def _there(path: Path) -> Path:
    """The file of that name, or one with a look-alike name. Raises SoundError where there is none, or more than one."""
    if path.exists():
        return path
    if path.is_symlink():
        raise SoundError(f"{path} is a link to nothing", "check the name")
    found = [there for there in spelled_otherwise(path) if there.exists()]
    if len(found) > 1:
        raise SoundError(
            f"{path} does not exist, and {len(found)} files look like it whose accents are written otherwise",
            "give them names that look unlike",
        )
    if not found:
        raise _nowhere(path)
    return found[0]


def _nowhere(path: Path) -> SoundError:
    """The error for a missing file, which may look as if it were in the folder."""
    files = [there for there in in_other_case(path) if there.is_file()]
    if not files:
        return SoundError(f"{path} does not exist", "check the name")
    names = " and ".join(str(file.relative_to(os.path.commonpath((path, file)))) for file in files[:2])
    differ = "differs" if len(files) == 1 else "differ"
    return SoundError(
        f"{path} does not exist, and {names} {differ} from it by the case of letters alone",
        "write the name as the file has it",
    )
