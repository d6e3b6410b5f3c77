"""Was a profile fitted on the very takes it is tested on? Then its figures flatter, and are not to be printed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from calibration.recordings.folder import Recording
from calibration.recordings.folds import Unit, key_of
from calibration.recordings.one_shake import perhaps_one_shake, united
from calibration.takes.features import Row
from calibration.traps.by_the_clock import GIVEN_AWAY, beside_in_time, known_in_time, moment, to_the_second
from calibration.traps.confounding import look, one_igloo_each
from calibration.traps.near_copies import near_copies
from calibration.words import SEVERAL
from sensors.ear.profiles.profile import Profile

# the mend for whoever evaluates; a page names the whole command instead (`calibration.report.page.to_follow`)
LEAVE_OUT = "leave whole {several} out with --leave-out {unit}"

Heard = Sequence[Sequence[Row]]
TOO_MANY = 0.02  # share of tested takes that the profile knows already
# fingerprints in a profile; of more takes the lowest, and only takes that lie as low are looked for
MOST = 5000
MOST_SITTINGS = 500  # of more a profile knows a world of igloos, and no table


def fingerprint(row: Row) -> str:
    """Eight hex digits of a take's features: the same recording gives the same, whatever its file is called."""
    return hashlib.sha256(np.round(row.shake.values, 3).tobytes()).hexdigest()[:8]


def fingerprints(rows: Iterable[Row], start: Profile | None = None) -> str:
    """Of all takes, or of a fair sample of many, sorted, in one string: a profile carries it. Those that the profile to
    `start` from was fitted on are known to it as well, but for a sample of thousands, which is of those that ship."""
    before = known_prints(start.fitted_on) if start else set()
    if len(before) >= MOST:
        before = set()
    return "".join(sorted(before | {fingerprint(row) for row in rows})[:MOST])


def known_prints(fitted_on: Mapping[str, Any], of: str = "fingerprints") -> set[str]:
    """The fingerprints that a profile carries; or `"loudest"`: what is around the loudest samples of its takes."""
    joined = str(fitted_on.get(of, ""))
    return {joined[i : i + 8] for i in range(0, len(joined), 8)}


def loudest(rows: Iterable[Row], start: Profile | None = None) -> str:
    """As `fingerprints`, of the samples around each take's loudest: alike in copies that were cut or turned down. Of
    very many takes none is kept."""
    before = known_prints(start.fitted_on, "loudest") if start else set()
    known = before | {row.loudest[:8] for row in rows if row.loudest}
    return "".join(sorted(known)) if len(known) < MOST else ""


def sitting(recording: Recording) -> str | None:
    """Eight hex digits that name the device, session and day of a recording; None where nobody named its session."""
    if recording.session is None:
        return None
    # as profiles have it that were fitted before; a slash in a name is rare enough
    named = f"{recording.device or ''}/{recording.session or ''}\0{str(recording.taken or '')[:10]}"
    return hashlib.sha256(named.encode("utf-8", "replace")).hexdigest()[:8]


def sittings(rows: Iterable[Row], start: Profile | None = None) -> list[str]:
    """Of all takes, and of those that the profile to `start` from knows, sorted; none of very many."""
    before = known_sittings(start.fitted_on) if start else set()
    known = before | {named for row in rows if (named := sitting(row.recording)) is not None}
    return sorted(known) if len(known) <= MOST_SITTINGS else []


def known_sittings(fitted_on: Mapping[str, Any]) -> set[str]:
    """The sittings that a profile carries."""
    return _names(fitted_on, "sittings")


def sittings_of_one(rows: Iterable[Row], start: Profile | None = None) -> list[str]:
    """Of the sittings that hold one igloo, or two of many (`traps.confounding`), each with the counts it holds:
    eight hex digits a pair, as `sittings`."""
    before = _names(start.fitted_on, "sittings_of_one") if start else set()
    recordings = one_igloo_each(row.recording for row in rows)
    known = before | {named for recording in recordings if (named := _with_count(recording)) is not None}
    return sorted(known) if len(known) <= MOST_SITTINGS else []


def _with_count(recording: Recording) -> str | None:
    named = sitting(recording)
    return named and hashlib.sha256(f"{named}\0{recording.beads}".encode()).hexdigest()[:8]


def _names(fitted_on: Mapping[str, Any], key: str) -> set[str]:
    named = fitted_on.get(key)
    return {str(one) for one in named} if isinstance(named, list) else set()


def share_known(profile: Profile, rows: Heard) -> float:
    """Share of these recordings that the profile was fitted on."""
    known = known_prints(profile.fitted_on)
    copied = known_prints(profile.fitted_on, "loudest")
    highest = max(known, default="") if len(known) >= MOST else "f" * 8
    asked = [
        any(p in known for p in prints) or of_one[0].loudest[:8] in copied
        for of_one in rows
        if (prints := [p for p in map(fingerprint, of_one) if p <= highest])
    ]
    return sum(asked) / max(1, len(asked))


class Again(NamedTuple):
    """Share of what is tested that is there once more in another unit; one such take and its copy, if there is any."""

    share: float
    example: tuple[Recording, Recording] | None


def there_again(rows: Heard, unit: Unit, tested: Heard) -> Again:
    """How much of the `tested` of these recordings is there once more under another session, device or player: when
    they are left out, those are fitted on. Copies are known by what is heard, by the samples around the loudest,
    by how they rise and fall, and by the instant in which that igloo was shaken by that hand."""
    recordings = [of_one[0].recording for of_one in rows]
    clock = to_the_second(recordings)
    known: dict[str, dict[str, Recording]] = {}  # of each print one recording a unit
    for of_one in rows:
        for told in _prints(of_one[0], clock):
            known.setdefault(told, {}).setdefault(key_of(of_one[0].recording, unit), of_one[0].recording)
    # what several sensors heard of one shake is left out together
    of_shakes = united(recordings, [key_of(recording, unit) for recording in recordings])
    near = near_copies(recordings, [of_one[0].course for of_one in rows], of_shakes)
    copies = {id(recordings[take]): recordings[copy] for take, copy in near.items()}

    def copy_of(row: Row) -> Recording | None:
        if id(row.recording) in copies:
            return copies[id(row.recording)]
        own = key_of(row.recording, unit)
        others = (copy for told in _prints(row, clock) for other, copy in known[told].items() if other != own)
        return next(others, None)

    again = [(of_one[0].recording, copy) for of_one in tested if (copy := copy_of(of_one[0])) is not None]
    return Again(len(again) / max(1, len(tested)), again[0] if again else None)


def _prints(row: Row, clock: bool) -> list[str]:
    out = [fingerprint(row), *([row.loudest] if row.loudest else [])]
    made, of = moment(row.recording), row.recording
    if clock and made is not None and of.player is not None:
        out.append(f"{made.at} {made.beads} {of.player} {of.device} {of.kind}")
    return out


def heard_beside(rows: Heard, unit: Unit, tested: Heard) -> float:
    """Share of the `tested` whose shake may be there under another session, device or player, by a sensor of that kind:
    when they are left out, that one is fitted on."""
    recordings = [of_one[0].recording for of_one in rows]
    known: set[int] = set()
    for shake in perhaps_one_shake(recordings):
        if len({key_of(recordings[i], unit) for i in shake}) > 1:
            known |= {id(recordings[i]) for i in shake}
    return sum(id(of_one[0].recording) in known for of_one in tested) / max(1, len(tested))


def same_sittings(fitted_on: Mapping[str, Any], rows: Heard) -> str | None:
    """How sittings give counts away, where these recordings are of sittings that are known to a profile, else None:
    then other takes of them say nothing of another day (`calibration.traps.confounding`)."""
    known, of_one_igloo = known_sittings(fitted_on), _names(fitted_on, "sittings_of_one")
    recordings = [of_one[0].recording for of_one in rows]
    if (told := sum(_with_count(r) in of_one_igloo for r in recordings) / max(1, len(rows))) > TOO_MANY:
        return f"{told:.0%} are of its sittings, in which it knows one or two of the counts, and these are of them"
    again = sum(sitting(r) in known for r in recordings) / max(1, len(rows))
    if again <= TOO_MANY:
        return None
    found = look([of_one[0] for of_one in rows], None)
    return (
        f"{again:.0%} are of its sittings, and {found[0].what} alone tells the count there" if found else None
    )


def beside_in_sittings(rows: Heard, unit: Unit, tested: Heard) -> str | None:
    """The same of the `tested`, where other takes of their sittings are of another player, and fitted on. A session's
    name counts per device: of another device only the clock tells that it was there."""
    if unit != "player":
        return None
    units: dict[str, set[str]] = {}
    for of_one in rows:
        recording = of_one[0].recording
        units.setdefault(recording.occasion, set()).add(key_of(recording, unit))
    shared = sum(len(units[of_one[0].recording.occasion]) > 1 for of_one in tested) / max(1, len(tested))
    # by the names of sittings as well
    found = look([of_one[0] for of_one in rows]) if shared > TOO_MANY else []
    return f"{shared:.0%} of what is tested" if found else None


def not_left_out(start: Profile | None, rows: Heard, unit: Unit, tested: Heard | None = None) -> str | None:
    """One sentence where what is left out by turns is known all the same, so that figures would flatter, else None.

    `start`: the profile that every fold starts from, where one was given; `tested`: those of the recordings that are
    ever left out (None: all).
    """
    tested = rows if tested is None else tested
    if (known := 0.0 if start is None else share_known(start, tested)) > TOO_MANY:
        return (
            f"the profile to start from was fitted on {known:.0%} of what is tested, so it knows what is left out, "
            "and figures flatter; start from a shipped one, or one that was fitted on others"
        )
    if start is not None and (how := same_sittings(start.fitted_on, tested)):
        return (
            f"the profile to start from knows what is left out, and figures flatter: of what is tested {how}; start "
            "from a shipped one, or one that was fitted on others"
        )
    if how := beside_in_sittings(rows, unit, tested):
        return (
            f"{how} is of sittings in which another {unit} was recorded as well, and the sitting alone gives the count "
            "away, so figures flatter; leave whole sessions out instead (--leave-out session)"
        )
    again = there_again(rows, unit, tested)
    if again.share > TOO_MANY and again.example is not None:
        return known_by_copies(again.share, *again.example, unit)
    if (told := _by_the_clock(rows, unit, tested)) > GIVEN_AWAY:
        return (
            f"what is tested was made minutes from takes of the same igloo under another {unit}, which are fitted on: "
            f"the clock alone tells {told:.0%} of the counts beyond chance, so figures flatter; give one sitting one "
            "session in recordings.jsonl, and record sweeps (all igloos in random order)"
        )
    if (beside := heard_beside(rows, unit, tested)) > TOO_MANY:
        return (
            f"{beside:.0%} of what is tested is of a pair whose other recording is under another {unit}, by a sensor "
            "of that kind and place: if it is of the same shake, that is known when it is left out, and figures "
            'flatter; give each its "place", or pairs of different shakes different names, in recordings.jsonl'
        )
    return None


def known_by_copies(share: float, take: Recording, copy: Recording, unit: Unit) -> str:
    """The sentence for this share of tested recordings that are there under another `unit`; of one of them its copy."""
    return (
        f"{share:.0%} of what is tested is there once more under another {unit} ({_as_a_copy(take, copy)}, say), so it "
        "is known when it is left out, and figures flatter; delete the copies from recordings.jsonl, or give both the "
        f"same {unit}"
    )


def _as_a_copy(take: Recording, copy: Recording) -> str:
    if take.path == copy.path:
        return f"{take.file}, which is listed twice"
    of_one_folder = take.folder == copy.folder
    return f"{take.file} as {copy.file}" if of_one_folder else f"{take.path} as {copy.path}"


def _by_the_clock(rows: Heard, unit: Unit, tested: Heard) -> float:
    """See `calibration.traps.by_the_clock`; what two sensors recorded of one shake is left out together."""
    recordings = [of_one[0].recording for of_one in rows]
    units = united(recordings, [key_of(recording, unit) for recording in recordings])
    of = {id(recording): name for recording, name in zip(recordings, units, strict=True)}
    return beside_in_time(
        recordings, units, [(of_one[0].recording, of[id(of_one[0].recording)]) for of_one in tested]
    )


def unit_of(profile: Profile) -> Unit:
    """What is left out by turns to test profiles of this kind: one for others is asked about other sets."""
    return "device" if profile.fitted_on.get("for_others") else "session"


def to_test_it(unit: Unit) -> str:
    """What to do where figures would flatter."""
    several = SEVERAL[unit].removeprefix("whole ")
    return f"test it on other {several}, or {LEAVE_OUT.format(several=several, unit=unit)}"


def flattering(profile: Profile, rows: Heard) -> str | None:
    """One sentence where figures of this profile on these recordings would flatter, else None."""
    unit = unit_of(profile)
    if how := same_sittings(profile.fitted_on, rows):
        return (
            f"the profile was fitted on other takes of the sittings of these recordings: {how}, so figures flatter; "
            f"{to_test_it(unit)}"
        )
    if (copies := flattered(share_known(profile, rows), unit)) is not None:
        return copies
    told = known_in_time(profile.fitted_on, [of_one[0].recording for of_one in rows])
    if told <= GIVEN_AWAY:
        return None
    return (
        "the profile was fitted on takes of the same igloos minutes from these: the clock alone tells "
        f"{told:.0%} of the counts beyond chance, so figures flatter; test it on sweeps of another day"
    )


def flattered(share: float, unit: Unit = "session") -> str | None:
    """The sentence for this share of known recordings, if there are too many."""
    if share <= TOO_MANY:
        return None
    return f"the profile was fitted on {share:.0%} of these recordings, so figures on them flatter; {to_test_it(unit)}"
