"""Takes that are left out although the fit knows them all the same: then figures flatter and must not be printed."""

from __future__ import annotations

from calibration.recordings.folds import Unit, key_of
from calibration.recordings.one_shake import united
from calibration.takes.features import Takes
from calibration.traps.by_the_clock import GIVEN_AWAY, beside_in_time
from calibration.traps.fingerprints import TOO_MANY, share_known
from calibration.traps.same_sittings import (
    beside_in_sittings,
    lacked_in_sittings,
    nameless_in_sittings,
    same_sittings,
)
from calibration.traps.spelled_alike import spelled_alike
from calibration.traps.there_again import heard_beside, known_by_copies, there_again
from sensors.ear.profiles.profile import Profile


def not_left_out(start: Profile | None, rows: Takes, unit: Unit, tested: Takes | None = None) -> str | None:
    """One sentence where left-out takes are known all the same, so that figures would flatter, else None.

    `start`: the profile that every fold starts from, where one was given; `tested`: the recordings that are ever left
    out (None: all).
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
    recordings, asked = ([of_one[0].recording for of_one in these] for these in (rows, tested))
    if (spelled := spelled_alike(recordings, unit, asked)) is not None:
        return spelled
    if (nameless := nameless_in_sittings(rows, unit, tested)) > TOO_MANY:
        lacked = lacked_in_sittings(unit)
        return (
            f"{nameless:.0%} of what is tested is of sessions in which some takes name their {lacked} and others do "
            "not: these are probably of the same one, which is known when it is left out, and figures flatter; give "
            f'"{lacked}" in recordings.jsonl'
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


def _by_the_clock(rows: Takes, unit: Unit, tested: Takes) -> float:
    """See `calibration.traps.by_the_clock`; the recordings of one shake by two sensors are left out together."""
    recordings = [of_one[0].recording for of_one in rows]
    units = united(recordings, [key_of(recording, unit) for recording in recordings])
    of = {id(recording): name for recording, name in zip(recordings, units, strict=True)}
    return beside_in_time(
        recordings, units, [(of_one[0].recording, of[id(of_one[0].recording)]) for of_one in tested]
    )
