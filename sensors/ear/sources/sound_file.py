"""Sound files as blocks of samples: WAV, FLAC and everything else that libsndfile reads, at their own rate."""

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
from sensors.ear.errors import SoundError, no_sound
from sensors.ear.frames.clipping import CutOff
from sensors.ear.frames.frontend import GRAVITY, LIMIT, Array, Floats
from sensors.ear.sources import at_rest
from sensors.ear.sources.cut_short import breaks_off
from sensors.ear.sources.not_closed import not_closed
from sensors.ear.sources.quiet import quiet
from sensors.ear.sources.without_length import NO_LENGTH, with_length

BLOCK_S = 0.5
SHORTEST_S = 0.3
MOST_LOST = 0.01  # of all samples may be NaN or infinite
# The median magnitude of a shaken igloo does not show its unit: hard hands reach 11 g. But strokes cancel within half a
# second, and gravity stays: in some 900 shakes of three engines, also cut to the shake, and clipped, it was 0.2 to 1.8.
# In m/s² it is hardly ever below 8, in milli-g it is hundreds. Where it was removed (a high-pass), nothing can be said.
HEAVIEST_G = 3.0  # g
WEIGHED_S = 60.0  # s from the beginning of a file
# a unit is assumed where gravity fits it within a half
UNITS = (("m/s²", GRAVITY), ("milli-g", 1000.0))
MOST_BEYOND = 1e-3  # of all samples may lie beyond any sensor's range: a few are a fault on the wire
MOST_CUT_OFF = 0.01  # of all samples may be clipped, in a file in which nothing was heard
FLOATS = ("FLOAT", "DOUBLE")
FINE = (*FLOATS, "PCM_24", "PCM_32")
# relative to full scale: within reach of a microphone with a sensible gain, no shake's peak is softer
SOFT_DB = -50.0
SILENCE = 1e-5  # relative to full scale (or g), −100 dB: no sensor is so quiet


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


def check_in_g(file: SoundFile) -> at_rest.Fault | None:
    """Raises SoundError for an accelerometer's file that is not in g: one of integers, which are shares of an unknown
    full scale, or one whose gravity fits another unit. Also for one with an axis that is dead or dies, in any unit.
    Returns the fault of a file in g whose steps are too coarse to count by."""
    if not file.floats:
        raise SoundError(
            f"{file.path} holds whole numbers, and an accelerometer's are wanted in g",
            "write it as a WAV of floats, in g",
        )
    begun = _begun(file)
    if one_value := at_rest.dead(begun, file.rate) or at_rest.dies(begun, file.rate):
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
    """What remains when strokes have cancelled, in the file's own unit: the median over half seconds of the magnitude
    of their mean. 0 where there is no such half second, or the channels are not axes."""
    if file.channels != 3:
        return 0.0
    means: list[float] = []
    with suppress(SoundError):  # reading to the end will report it
        for block in file.blocks():
            if len(block) < round(BLOCK_S * file.rate) or len(means) * BLOCK_S >= WEIGHED_S:
                break
            means.append(float(np.linalg.norm(block.mean(axis=0, dtype=np.float64))))
    return float(np.median(means)) if means else 0.0


def _begun(file: SoundFile) -> Array:
    """float32[samples, 3] from its beginning; none where the channels are not axes."""
    begun: list[Array] = [np.zeros((0, 3), np.float32)]
    with suppress(SoundError):
        for block in file.blocks() if file.channels == 3 else ():
            begun.append(block)
            if sum(map(len, begun)) >= WEIGHED_S * file.rate:
                break
    return np.concatenate(begun)


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


class Extent:
    """The range of one file's samples, block by block."""

    def __init__(self) -> None:
        self._first: Floats | None = None
        self.loudest = 0.0  # from zero; for three axes, which contain gravity, from the first sample
        self.moved = 0.0  # from the first sample
        self.axes = False  # three channels: an accelerometer, which has no gain
        self.seen = self.beyond = 0  # samples, and those beyond any sensor's range
        self.samples = 0  # for each channel of a microphone
        self.cut_off = np.zeros(1, np.int64)  # clipped samples among these
        self._ends = CutOff("microphone")

    def push(self, block: Array) -> None:
        """Add a `block`, float32[samples, channels], as `SoundFile.blocks` yields them."""
        wide = block.astype(np.float64)  # the difference of two huge values may overflow float32
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
        """Is so much clipped that it explains why nothing was heard?"""
        return int(self.cut_off.max()) > MOST_CUT_OFF * self.samples

    @property
    def too_far(self) -> bool:
        """Are there samples beyond any sensor's range, so that nothing heard in it counts?"""
        return self.loudest > LIMIT or self.overdriven


def check_extent(where: Path | str, extent: Extent, heard: bool) -> None:
    """Raises SoundError where a file is silent or constant, where its values are not a sensor's, and where nothing was
    `heard` in one with a few such values or clipping: nothing is left of a sound that is all clipped."""
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
