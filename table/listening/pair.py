"""Two sensors of one igloo, in files that began together: each shake is reported once, by both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from calibration.recordings.folder import Complain, Recording
from firmware_bridge.errors import UsageError
from sensors.ear.errors import ProfileError, SoundError, a_sensor
from sensors.ear.profiles.profile import Head, Profile
from sensors.ear.sources.sound_file import SoundFile, open_sound
from sensors.ear.verdicts.pair import BETWEEN_NAMES, believable, believed, for_sure, groups_of, of_all
from sensors.ear.verdicts.reasons import could_be
from sensors.evidence import Heard
from sensors.why import Why
from table.listening.files import choose_profile, hear_file, sensor_of
from table.listening.gestures import check_gesture
from table.listening.own_line import listed

LISTS_SAY = "lists say", ", or call it alike in both lists"


def hear_pair(
    paths: Sequence[Path],
    profiles: Sequence[str],
    complain: Complain,
    tell_files: Callable[[Sequence[SoundFile], Profile], None] = lambda files, profile: None,
) -> Iterator[Heard]:
    """The shakes of two files, in order; a shake that only one sensor heard is reported by that one alone.

    `profiles`: one for each kind of sensor, or none (then the shipped ones; if a list says that a microphone sat on the
    shell, the contact profile). A file that is silent or breaks off goes to `complain`, and what was heard in both is
    reported; `tell_files` gets each file and its profile. Raises UsageError if the files are not of two kinds of
    sensor, SoundError for one that cannot be opened.
    """
    known = {profile.sensor: profile for profile in (choose_profile(name, "microphone") for name in profiles)}
    if len(known) < len(profiles):
        raise UsageError(
            "two profiles are for one kind of sensor",
            "name one for each: --profile accelerometer --profile contact",
        )
    files = [open_sound(path) for path in paths]
    lines = [listed(path) for path in paths]
    _check_one_shake(paths, lines)
    sensors = [
        line.sensor if line else sensor_of(file, known.get("accelerometer"))
        for line, file in zip(lines, files, strict=True)
    ]
    if len(set(sensors)) < 2:
        raise UsageError(
            f"both files are of {a_sensor(sensors[0])}",
            "one igloo is heard by an accelerometer and a microphone together; several people at microphones of their "
            "own are named with --seats red,blue",
        )
    kinds = [line.kind if line else sensor for line, sensor in zip(lines, sensors, strict=True)]
    ears = [
        known.get(sensor) or choose_profile(None, kind) for sensor, kind in zip(sensors, kinds, strict=True)
    ]
    for file, ear in zip(files, ears, strict=True):
        check_gesture(file.path, ear)
        tell_files([file], ear)
    heard: list[list[Heard]] = []
    for file, ear in zip(files, ears, strict=True):
        said: list[Heard] = []
        try:
            for one in hear_file(file.path, ear, file.path.name, False, ear.sensor):
                if isinstance(one, Heard):
                    said.append(one)
        except (SoundError, ProfileError) as error:
            complain(error)
        heard.append(said)
    heads = [
        ear.heads_for(ear.sensor, file.rate) if said else ()
        for ear, file, said in zip(ears, files, heard, strict=True)
    ]
    for group in groups_of(*heard):
        yield one_line(group, BETWEEN_NAMES.join(path.name for path in paths), ears[0].digest, heads)


def _check_one_shake(paths: Sequence[Path], lines: Sequence[Recording | None]) -> None:
    """Raises UsageError if a list says that the two files are of two different shakes.

    That may be the list of their folder, or the lists of their two folders.
    """
    one, other = lines
    if one is None or other is None:
        return
    alike = paths[0].name == paths[1].name
    names = " and ".join(str(path) if alike else path.name for path in paths)
    say, mend = ("list says", "") if one.folder == other.folder else LISTS_SAY
    for key, mine, its in (("pair", one.pair, other.pair), ("igloo", one.igloo, other.igloo)):
        if mine is not None and its is not None and mine != its:
            raise UsageError(
                f"{names} are of two shakes, as their {say} ({key} {mine} and {its})",
                f"name two files of one shake, by an accelerometer and a microphone{mend}",
            )


def one_line(
    group: Sequence[Sequence[Heard]], source: str, digest: str, heads: Sequence[Sequence[Head]]
) -> Heard:
    """Both results for one shake as one; each by its `heads` that count together."""
    best = [max(said, key=lambda s: (believable(s), s.end_s - s.start_s)) for said in group if said]
    if len(best) < 2:
        return best[0]
    counted = [best[i] for i in believed([(said, said.probabilities) for said in best])] or best[:1]
    everything = [said for of_one in group for said in of_one]
    line = replace(
        counted[0],
        source=source,
        start_s=min(said.start_s for said in everything),
        end_s=max(said.end_s for said in everything),
        profile=digest,
    )
    if len(counted) < 2:
        return line
    p = of_all([(said, said.probabilities) for said in counted])
    against = [said.reason for said in counted if said.doubt == "sensor" or said.why is Why.STRANGE_LATELY]
    strange = any(said.doubt == "strange" for said in counted)
    odds, sure_from = for_sure(
        [(said.probabilities, of_one) for said, of_one in zip(counted, heads, strict=True)]
    )
    unsure = strange or odds[max(p, key=lambda n: p[n])] < sure_from
    reason = against[0] if against else could_be(odds) if unsure else None
    return replace(
        line,
        verdict="unsure" if reason else "sure",
        probabilities=p,
        reason=reason,
        snr_db=min(said.snr_db for said in counted),
        clipped=any(said.clipped for said in counted),
    )
