"""Testing: a profile on a folder, or fitting and testing fold by fold with whole units left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from calibration.bulk import Hands, Lost, each, lost
from calibration.errors import NothingToTest
from calibration.fitting.asked import LEAST_COUNTS, check_counts, counts_known
from calibration.fitting.prior import Starts, fit_from
from calibration.recordings.folder import Complain, Recording
from calibration.recordings.folds import Unit, key_of
from calibration.recordings.named_as import fits
from calibration.recordings.one_shake import of_one_shake
from calibration.recordings.whole_sets import SetMade, made_of, once_each, rounds_of, sets_of
from calibration.scores import Told
from calibration.takes.features import Row
from calibration.takes.seen_by import seen_by
from calibration.testing.in_play import cut_alike, in_play
from firmware_bridge.errors import PolartableError
from sensors.ear.errors import FitError, ProfileError
from sensors.ear.models.relative import join_rounds
from sensors.ear.models.sets import Joined, join_set
from sensors.ear.profiles.profile import Profile
from sensors.ear.profiles.profile_json import body_of, canonical, digest_of
from sensors.ear.verdicts import lacking
from sensors.ear.verdicts.lines import heard
from sensors.ear.verdicts.probabilities import probabilities_of
from sensors.ear.verdicts.verdict import judge, judge_gesture
from sensors.evidence import Heard
from sensors.one_thread import one_thread

SLIPS = 2  # takes of one gesture among many of another


@dataclass(frozen=True, slots=True)
class Tested:
    """One recording and the answer to it; `probabilities` are there even where the verdict is that it is no shake."""

    row: Row
    counts: tuple[int, ...]
    probabilities: dict[int, float]
    heard: Heard
    in_set: int | None = None
    in_pair: int | None = None  # calibration.testing.pairs
    speaks: bool = False  # it represents its pair: figures count a shake once
    in_shakes: int | None = None  # calibration.testing.several_shakes
    shakes: int = 0  # that were added up; 0 except for the first of them: figures count an igloo once
    sitting: str | None = None  # sessions that share shakes are merged (calibration.testing.pairs)
    made: SetMade | None = None  # the set that gave `in_set`
    left_out: tuple[Unit, str] | None = None  # the unit that its fit did not know, and its name
    odd: float | None = None  # sensors.ear.verdicts.drift; None where it says nothing about the profile

    @property
    def best(self) -> int:
        return max(self.probabilities, key=lambda n: self.probabilities[n])

    @property
    def refused(self) -> bool:
        """Does the ear in play give no count for it?"""
        return self.heard.verdict == "not-a-shake"

    @property
    def counted(self) -> bool:
        """Does it count in figures: not rejected, with a count that the profile knows?"""
        return self.row.recording.rejected is None and self.row.recording.beads in self.counts

    @property
    def again(self) -> bool:
        """Is it another sensor's recording of a shake that is counted already?"""
        return self.in_pair is not None and not self.speaks

    def told(self) -> Told:
        assert self.row.recording.beads is not None
        return Told(
            true=self.row.recording.beads,
            best=self.best,
            confidence=self.probabilities[self.best],
            sure=self.heard.verdict == "sure",
            in_set=self.in_set,
            session=self.sitting or self.row.recording.occasion,
            in_pair=self.in_pair if self.speaks else None,
            made=self.made,
            in_shakes=self.in_shakes if self.shakes else None,
            shakes=self.shakes,
            again=self.again,
            left_out=self.left_out,
        )


def answer(profile: Profile, rows: Sequence[Row]) -> Tested:
    """The profile's answer to one recording, given as rows of the front ends that it fills. Raises ProfileError."""
    heads = profile.heads_for(rows[0].recording.sensor, max(row.rate for row in rows))
    head, row = heads[0], seen_by(heads, rows)
    if row.recording.gesture != profile.gesture:
        raise ProfileError(
            f"the profile counts by the gesture {profile.gesture or 'shake'}, and this is a "
            f"{row.recording.gesture or 'shake'}",
            "fit one on recordings of this gesture (--only gesture=NAME)",
        )
    count = partial(probabilities_of, heads)
    judged = judge if profile.gesture is None else judge_gesture
    cut = cut_alike(row)
    snr = row.snr_db if cut is None else cut.snr_db
    said = judged(head, row.shake, snr, row.clipped, count, heads)
    line = heard(said, row.recording.file, profile, row.shake.start_s, row.shake.end_s, snr, row.clipped)
    line = line if row.missing is None else row.missing.judge(line)
    odd = said.oddness if said.tells_of_the_profile and row.whole else None
    if row.in_play is not None and (cut is None or said.verdict == "not-a-shake"):
        line, odd = in_play(profile, row.recording, (line, odd))
    # sounds that are no shake get counts as well: a gate that is too narrow must show
    probabilities = dict(line.probabilities) or count(row.shake)
    lacks = row.lacks.reason if row.lacks else None
    fine = lacks is None or lacking.counts_by(profile, lacks)
    line = lacking.judge(line, lacks, profile)
    return Tested(row, profile.counts, probabilities, line, odd=odd if fine else None)


def join_sets(tested: Sequence[Tested], profile: Profile) -> list[Tested]:
    """Fill `in_set`: recordings of one `set` (`recordings.whole_sets`) are joined, each count at most once."""
    out = list(tested)
    counts = profile.counts
    recordings = [t.row.recording for t in tested]
    for igloos in sets_of(recordings, counts):
        if len(igloos) > len(counts):
            continue  # reported by table.commands.igloo_oddities
        made = made_of(igloos, recordings, counts)
        once = once_each(igloos, recordings)
        joined = _joined(profile, tested, once) or join_set(
            {name: [tested[i].probabilities for i in mine] for name, mine in once.items()}, counts
        )
        for name, mine in igloos.items():
            for i in mine:
                t = tested[i]
                out[i] = replace(t, in_set=joined.best[name], made=made)
    return out


def _joined(profile: Profile, tested: Sequence[Tested], igloos: dict[str, list[int]]) -> Joined | None:
    """Uses the profile's model for whole sets where it has one, with rounds for each hand. An igloo that only short
    rounds contain is assigned by its single answers, beside what the rounds tell about the others."""
    first = tested[next(iter(igloos.values()))[0]].row
    heads = profile.heads_for(first.recording.sensor, first.rate)
    fronts = {tested[i].row.front for mine in igloos.values() for i in mine}
    if heads[0].relative is None or fronts != {heads[0].front}:
        return None
    rounds = [
        {name: tested[i].row.shake for name, i in of_hand.items()}
        for of_hand in rounds_of(igloos, [t.row.recording for t in tested])
    ]
    joined = join_rounds([j for head in heads for j in head.judges], rounds, profile.counts)
    if joined is None or set(igloos) <= set(joined.best):
        return joined
    heard = {
        name: [joined.apart[name]] if name in joined.best else [tested[i].probabilities for i in mine]
        for name, mine in igloos.items()
    }
    return join_set(heard, profile.counts)


def evaluate_profile(profile: Profile, rows: Iterable[Sequence[Row]], complain: Complain) -> list[Tested]:
    """Every recording under one profile, sets joined; recordings that do not match the profile are reported."""
    with one_thread():
        return join_sets(list(_answers(profile, rows, complain)), profile)


def _answers(profile: Profile, rows: Iterable[Sequence[Row]], complain: Complain) -> Iterator[Tested]:
    for of_one in rows:
        try:
            yield answer(profile, of_one)
        except ProfileError as error:
            complain(ProfileError(f"{of_one[0].recording.path}: {error.cause}", error.mend))


def folds_to_test(rows: Sequence[Sequence[Row]], unit: Unit, test_on: str | None) -> list[str]:
    """Like `units_to_test`, of what was heard."""
    return units_to_test([of_one[0].recording for of_one in rows], unit, test_on)


def units_to_test(recordings: Sequence[Recording], unit: Unit, test_on: str | None) -> list[str]:
    """Names of the units to leave out and test. Raises NothingToTest where there is none, or nothing would remain to
    fit on."""
    names = sorted({key_of(r, unit) for r in recordings})
    if len(names) < 2:
        raise NothingToTest(
            f"all recordings are of one {unit}, so none can be left out",
            "record "
            + ("another session on another day" if unit == "session" else "with another")
            + f' (--{unit} NAME), and name it in "{unit}" of recordings.jsonl',
        )
    chosen = []
    for name in names:
        if any(fits(r.session, test_on) for r in recordings if key_of(r, unit) == name):
            chosen.append(name)
    if not chosen:
        raise NothingToTest(f"no session is named like {test_on!r}", "look at the names in recordings.jsonl")
    return chosen


def evaluate_left_out(
    rows: Sequence[Sequence[Row]],
    unit: Unit,
    test_on: str | None = None,
    counts: tuple[int, ...] | None = None,
    *,
    starts: Callable[[Sequence[Sequence[Row]]], Starts] = lambda rows: (None,),
    hands: Hands | None = None,
    complain: Complain | None = None,
    digests: bool = True,
) -> Iterator[list[Tested]]:
    """Fold by fold: fit on all other units, test this one. Raises NothingToTest or FitError.

    `hands` work on several folds in parallel. A fold whose worker died is reported to `complain`, and is empty;
    recordings that do not match their fold's profile are reported as well, and left out. `digests`: answers name their
    fold's profile by its digest, which takes some time to compute.
    """
    rows = _of_one_gesture(rows, complain)
    check_counts([of_one[0].recording for of_one in rows], counts)
    # counts of the whole folder: a fold that lacks a count may be asked about it all the same
    if counts is None:
        known = [row for of_one in rows for row in of_one if row.recording.rejected is None]
        counts = counts_known(known)
        counts = counts if len(counts) >= LEAST_COUNTS else None
    fold = partial(_fold, rows, unit, test_on, counts, starts, digests)
    for result in each(fold, folds_to_test(rows, unit, test_on), hands or Hands()):
        if isinstance(result, Lost):
            if complain is not None:
                complain(lost(f"{unit} {_shown(rows, unit, result.piece)}"))
            yield []
            continue
        tested, unanswered = result
        if complain is not None:
            for error in unanswered:
                complain(error)
        yield tested


def _of_one_gesture(rows: Sequence[Sequence[Row]], complain: Complain | None) -> Sequence[Sequence[Row]]:
    """Drops takes of a gesture that only very few takes have: they are slips, which match no fit on the others, but no
    reason to test none. A gesture with many takes is no slip: then the fit says that one gesture has to be chosen."""
    times = Counter(of_one[0].recording.gesture for of_one in rows)
    slips = {name for name, n in times.items() if n <= SLIPS}
    if len(times) < 2 or len(times) - len(slips) != 1:
        return rows
    for recording in (of_one[0].recording for of_one in rows):
        if recording.gesture in slips and complain is not None:
            complain(
                ProfileError(
                    f"{recording.path}: this is a {recording.gesture or 'shake'}, and the others are not",
                    "test recordings of this gesture by themselves (--only gesture=NAME)",
                )
            )
    return [of_one for of_one in rows if of_one[0].recording.gesture not in slips]


def _shown(rows: Sequence[Sequence[Row]], unit: Unit, name: str) -> str:
    """A unit's name in the list; sessions of one name are distinguished by their devices."""
    known = [of_one[0].recording for of_one in rows]
    names = {getattr(r, unit) for r in known if key_of(r, unit) == name} - {None}
    occasions = {key_of(r, unit) for r in known if getattr(r, unit) in names}
    alone = len(names) == 1 and len(occasions) == 1
    return str(next(iter(names))) if alone else name or "that has no name"


def _fold(
    rows: Sequence[Sequence[Row]],
    unit: Unit,
    test_on: str | None,
    counts: tuple[int, ...] | None,
    starts: Callable[[Sequence[Sequence[Row]]], Starts],
    digests: bool,
    name: str,
) -> tuple[list[Tested], list[PolartableError]]:
    """Fits without the unit called `name` and without other recordings of its shakes, and tests it; also returns the
    errors of recordings that do not match that fit."""

    def tested(of_one: Sequence[Row]) -> bool:
        recording = of_one[0].recording
        return fits(recording.session, test_on) and key_of(recording, unit) == name

    known = [tested(of_one) for of_one in rows]
    for shake in of_one_shake([of_one[0].recording for of_one in rows]):
        if any(known[i] for i in shake):  # another sensor's recording of the shake would give it away
            for i in shake:
                known[i] = True
    train = [of_one for of_one, left_out in zip(rows, known, strict=True) if not left_out]
    try:
        profile = fit_from(train, counts, unit=unit, starts=starts(train))
    except FitError as error:
        raise FitError(f"without {unit} {_shown(rows, unit, name)}: {error.cause}", error.mend) from error
    if digests:  # nobody saves this profile, but lines name it all the same (contracts 3)
        profile = replace(profile, digest=digest_of(canonical(body_of(profile))))
    unanswered: list[PolartableError] = []
    answers = list(_answers(profile, filter(tested, rows), unanswered.append))
    return [replace(t, left_out=(unit, name)) for t in join_sets(answers, profile)], unanswered
