"""Sound files as blocks of samples: WAV, FLAC and whatever else libsndfile reads, at their own rate."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from firmware_bridge.host.spelling import in_other_case, spelled_otherwise
from sensors.bridged import Bridged
from sensors.ear.errors import SoundError
from sensors.ear.frames.clipping import CutOff
from sensors.ear.frames.frontend import LIMIT, Array, Floats
from sensors.ear.sources import at_rest
from sensors.ear.sources.cut_short import breaks_off
from sensors.ear.sources.not_closed import not_closed
from sensors.ear.sources.quiet import quiet
from sensors.ear.sources.without_length import NO_LENGTH, with_length

BLOCK_S = 0.5
SHORTEST_S = 0.3
MOST_LOST = 0.01  # of all samples may be no numbers
# The median magnitude of a shaken igloo tells no unit: hard hands reach 11 g. But strokes undo each other within half a
# second, and gravity stays: in some 900 shakes of three engines, also cut to the shake, and clipped, it was 0.2 to 1.8.
# In m/s² it is hardly ever less than 8, in milli-g hundreds. Where it was taken off (a high-pass) nothing is known.
HEAVIEST_G = 3.0  # g
WEIGHED_S = 60.0  # of a file, from its beginning
# a recording is taken to be in one where gravity fits within a half
UNITS = (("m/s²", 9.81), ("milli-g", 1000.0))
MOST_BEYOND = 1e-3  # of all samples may lie beyond any sensor's range: a fault on the wire is a few
MOST_CUT_OFF = 0.01  # of all samples, where nothing was heard for it
FLOATS = ("FLOAT", "DOUBLE")
FINE = (*FLOATS, "PCM_24", "PCM_32")
# of full scale: no shake in reach of a microphone with a sensible gain is softer at its loudest
SOFT_DB = -50.0
SILENCE = 1e-5  # of full scale (or g): -100 dB, no sensor is that quiet


@dataclass(frozen=True, slots=True)
class SoundFile:
    """An opened file's shape; `blocks()` reads it anew as float32[samples, channels]."""

    path: Path
    rate: float  # Hz
    channels: int
    samples: int
    floats: bool  # values are as they were written, not shares of full scale
    fine: bool = False  # more than 16 bits: what is very soft is sound, and no rounding
    breaks_off: bool = False  # more was promised
    subtype: str = ""  # how libsndfile calls what samples were written as
    size: int = 0  # bytes

    @property
    def seconds(self) -> float:
        return self.samples / self.rate

    def blocks(self, until_s: float = math.inf, *, as_written: bool = False) -> Iterator[Array]:
        """What is no number is bridged, unless it is to be `as_written`. Raises SoundError where the file breaks off in
        the middle, and at its end (or `until_s`, after which nothing is read) where too much was none."""
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


def check_in_g(file: SoundFile) -> at_rest.Fault | None:
    """Raises SoundError for an accelerometer's file that is not in g: of whole numbers, which are shares of a full
    scale nobody names, or with the gravity of another unit. And for one of which an axis is dead, whatever it is in.
    Returns what is to be said of one that is in g, and whose steps are too coarse to count by."""
    if not file.floats:
        raise SoundError(
            f"{file.path} holds whole numbers, and an accelerometer's are wanted in g",
            "write it as a WAV of floats, in g",
        )
    begun = _begun(file)
    if one_value := at_rest.dead(begun, file.rate):
        raise SoundError(f"of {file.path}, {one_value}", f"{at_rest.LOOK_AT}, and record it again")
    wrong = at_rest.wrong_gravity(begun, file.rate)
    gravity = max(gravity_of(file), wrong or 0.0)
    if gravity > HEAVIEST_G:
        of = next(((unit, one) for unit, one in UNITS if one / 1.5 < gravity < 1.5 * one), None)
        raise SoundError(
            f"{file.path} has a gravity of {gravity:.1f}{f', as of {of[0]}' if of else ''}, and an accelerometer's "
            "samples are wanted in g",
            f"divide them by {of[1]:g}, and write it again" if of else "write it again, with 1 for gravity",
        )
    if wrong is not None:
        raise SoundError(
            f"{file.path} has a gravity of {wrong:.2g} at rest, and an accelerometer's samples are wanted in g",
            "write it again, with 1 for gravity: the sensor's range may be set otherwise than its numbers were read",
        )
    return at_rest.too_coarse(begun)


def gravity_of(file: SoundFile) -> float:
    """What stays when strokes have undone each other, in the file's own unit: the median over half seconds of their
    mean's magnitude. 0 where there is no such half second, or channels are no axes."""
    if file.channels != 3:
        return 0.0
    means: list[float] = []
    with suppress(SoundError):  # whoever reads it to the end tells
        for block in file.blocks():
            if len(block) < round(BLOCK_S * file.rate) or len(means) * BLOCK_S >= WEIGHED_S:
                break
            means.append(float(np.linalg.norm(block.mean(axis=0, dtype=np.float64))))
    return float(np.median(means)) if means else 0.0


def _begun(file: SoundFile) -> Array:
    """float32[samples, 3], from its beginning; none where channels are no axes."""
    begun: list[Array] = [np.zeros((0, 3), np.float32)]
    with suppress(SoundError):
        for block in file.blocks() if file.channels == 3 else ():
            begun.append(block)
            if sum(map(len, begun)) >= WEIGHED_S * file.rate:
                break
    return np.concatenate(begun)


def open_sound(path: Path) -> SoundFile:
    """Look at a file. Raises SoundError, with one sentence, where it is missing, no sound, empty or too short."""
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
        # whoever reads our lines could not name it either
        legible = os.fsencode(path).decode("utf-8", "replace")
        raise SoundError(f"the name of {legible} is not in UTF-8", "rename it") from error
    except (soundfile.SoundFileError, RuntimeError) as error:
        raise SoundError(f"{path} is no sound that can be read", "give a WAV or FLAC file") from error
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
    """The file of that name, or the one that looks like it. Raises SoundError where there is none, or there are
    several."""
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
    """A file that there is not; to whoever looks into the folder it may seem to be there."""
    files = [there for there in in_other_case(path) if there.is_file()]
    if not files:
        return SoundError(f"{path} does not exist", "check the name")
    names = " and ".join(str(file.relative_to(os.path.commonpath((path, file)))) for file in files[:2])
    differ = "differs" if len(files) == 1 else "differ"
    return SoundError(
        f"{path} does not exist, and {names} {differ} from it by the case of letters alone",
        "write the name as the file has it",
    )


class Extent:
    """How far the samples of one file go, block by block."""

    def __init__(self) -> None:
        self._first: Floats | None = None
        self.loudest = 0.0  # from zero; of three axes, which gravity keeps from it, from the first sample
        self.moved = 0.0  # from the first sample
        self.axes = False  # three channels: an accelerometer's, which has no gain
        self.seen = self.beyond = 0  # samples, and those that are beyond any sensor's range
        self.samples = 0  # of each channel of a microphone
        self.cut_off = np.zeros(1, np.int64)  # of these
        self._ends = CutOff("microphone")

    def push(self, block: Array) -> None:
        """`block`: float32[samples, channels], as `SoundFile.blocks` yields them."""
        wide = block.astype(np.float64)  # the difference of two huge ones is no float32
        if not len(block):
            return
        if self._first is None:
            self._first = wide[:1].copy()
        self.moved = max(self.moved, float(np.abs(wide - self._first).max(initial=0.0)))
        self.axes = block.shape[1] == 3
        self.seen += block.size
        self.beyond += int((np.abs(wide) > LIMIT).sum())
        far = 0.0 if self.axes else float(np.abs(wide).max(initial=0.0))
        self.loudest = max(self.loudest, self.moved, far)
        if not self.axes:
            self.samples += len(block)
            self.cut_off = self.cut_off + self._ends.push(block)

    @property
    def overdriven(self) -> bool:
        """Is so much cut off that nothing need be heard for it?"""
        return int(self.cut_off.max()) > MOST_CUT_OFF * self.samples

    @property
    def too_far(self) -> bool:
        """Do samples go further than they should, if nothing was heard?"""
        return self.loudest > LIMIT or self.overdriven


def check_extent(where: Path | str, extent: Extent, heard: bool) -> None:
    """Raises SoundError where a file is silent or constant, where its values are those of no sensor, and where nothing
    was `heard` in one that has a few such, or is cut off: of what is all clipped nothing is left."""
    if not extent.loudest >= SILENCE and not extent.axes:
        raise SoundError(f"{where} is silent", "check the plug and the gain, and record it again")
    if not extent.moved >= SILENCE:
        raise SoundError(
            f"{where} holds one value throughout, and no shake", "check the plug, and record it again"
        )
    if extent.loudest > LIMIT and (not heard or extent.beyond > MOST_BEYOND * extent.seen):
        raise SoundError(
            f"{where} has values of up to {extent.loudest:.3g}, far beyond full scale"
            + ("" if heard else ", and nothing was heard in it"),
            "write it again, with 1 for full scale (an accelerometer's in g)",
        )
    if not heard and not extent.axes and extent.loudest < 10 ** (SOFT_DB / 20):
        raise SoundError(
            f"{where} is very soft ({20 * math.log10(extent.loudest):.0f} dB of full scale at its loudest), and "
            "nothing was heard in it",
            "turn the gain up, and record it again",
        )
    if not heard and extent.overdriven:
        raise SoundError(
            f"{where} is overdriven: {int(extent.cut_off.max()) / extent.samples:.0%} of its samples are cut off, "
            "and nothing was heard in it",
            "turn the gain down, or the sensor away, and record it again",
        )
