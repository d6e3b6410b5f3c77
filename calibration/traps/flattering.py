"""Was a profile fitted on the very takes it is tested on? Then its figures flatter and must not be printed."""

from __future__ import annotations

from calibration.recordings.folds import Unit
from calibration.takes.features import Takes
from calibration.traps.by_the_clock import GIVEN_AWAY, known_in_time
from calibration.traps.fingerprints import TOO_MANY, share_known
from calibration.traps.same_sittings import same_sittings
from calibration.words import SEVERAL
from sensors.ear.profiles.profile import Profile

# the remedy for users of evaluate; a page gives the whole command instead (`calibration.report.page.to_follow`)
LEAVE_OUT = "leave whole {several} out with --leave-out {unit}"


def unit_of(profile: Profile) -> Unit:
    """The unit to leave out when testing profiles of this kind: one for others is asked about other sets."""
    return "device" if profile.fitted_on.for_others else "session"


def to_test_it(unit: Unit) -> str:
    """What to do where figures would flatter."""
    several = SEVERAL[unit].removeprefix("whole ")
    return f"test it on other {several}, or {LEAVE_OUT.format(several=several, unit=unit)}"


def flattering(profile: Profile, rows: Takes) -> str | None:
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
    """The sentence for this share of known recordings, if it is too large."""
    if share <= TOO_MANY:
        return None
    return f"the profile was fitted on {share:.0%} of these recordings, so figures on them flatter; {to_test_it(unit)}"
