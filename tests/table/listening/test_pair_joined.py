"""What two sensors said of one igloo, joined: which lines are of one shake, what counts, and when a pair is sure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from calibration.recordings.folder import Recording
from calibration.takes.features import Row
from calibration.testing.evaluate import Tested as Answer
from calibration.testing.pairs import join_pairs
from sensors.ear.models.sets import add_up
from sensors.ear.verdicts.lost_sound import PACKETS_LOST
from sensors.ear.verdicts.mends import IN_ROOM
from sensors.ear.verdicts.pair import believable, groups_of, of_all
from sensors.ear.verdicts.reasons import STRANGE_LATELY, TOO_GENTLE, could_be
from sensors.evidence import Heard
from table.listening.pair import one_line
from tests.sensors.ear.verdicts.two_sensors import heads_of


def test_only_different_sensors_of_one_occasion_make_a_pair() -> None:
    def told(sensor: str, best: int, sure: float = 0.9, **more: object) -> Answer:
        recording = Recording(Path(), f"{sensor}-{best}", sensor, 5, pair="p", **more)  # type: ignore[arg-type]
        p = {n: sure if n == best else (1 - sure) / 2 for n in (4, 5, 6)}
        heard = said(0.0, 2.0, p)
        return Answer(Row(recording, 1600.0, None, 30.0, False, -80.0), (4, 5, 6), p, heard)  # type: ignore[arg-type]

    felt, heard = told("accelerometer", 5, session="a"), told("microphone", 5, session="a")
    assert [t.in_pair for t in join_pairs([felt, heard])] == [5, 5]
    assert [t.in_pair for t in join_pairs([felt, told("microphone", 5, session="b")])] == [None, None]
    assert [t.in_pair for t in join_pairs([felt, told("accelerometer", 4, session="a")])] == [None, None]
    assert [t.in_pair for t in join_pairs([felt, told("microphone", 4, session="a", sure=0.99)])] == [4, 4]
    drowned = told("microphone", 4, session="a", sure=0.99)
    drowned = replace(drowned, heard=replace(drowned.heard, snr_db=1.0))
    assert [t.in_pair for t in join_pairs([felt, drowned])] == [5, 5]
    # a file that is listed twice has no second voice, and its shake is counted once
    doubtful = told("microphone", 4, session="a", sure=0.92)
    twice = join_pairs([felt, doubtful, felt])
    assert [(t.in_pair, t.again) for t in twice] == [(4, False), (4, True), (4, True)]


@pytest.mark.parametrize("turned", [False, True])
def test_a_pair_counts_where_only_one_profile_knows_its_count(turned: bool) -> None:
    """Figures do not depend on which of two profiles is named first."""

    def told(sensor: str, counts: tuple[int, ...]) -> Answer:
        recording = Recording(Path(), sensor, sensor, 5, pair="p", session="a")  # type: ignore[arg-type]
        p = {n: 0.9 if n == counts[0] else 0.1 / (len(counts) - 1) for n in counts}
        return Answer(Row(recording, 1600.0, None, 30.0, False, -80.0), counts, p, said(0.0, 2.0, p))  # type: ignore[arg-type]

    both = [told("accelerometer", (5, 6, 7)), told("microphone", (6, 7, 8))]
    counted = [t.told() for t in join_pairs(both[::-1] if turned else both) if t.counted]
    assert [(t.in_pair is not None, t.again) for t in counted] == [(True, False)]


def said(start: float, end: float, odds: dict[int, float], **more: object) -> Heard:
    verdict = "unsure" if odds else "not-a-shake"
    doubt = "odds" if odds else ""
    return replace(Heard("x", start, end, verdict, odds, 30.0, False, "", doubt=doubt), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("turned", [False, True])
def test_one_shake_is_one_line_however_the_sensors_cut_it(turned: bool) -> None:
    knock, shake = said(0.1, 0.25, {}), said(0.8, 3.0, {5: 0.9, 6: 0.1})
    whole = said(0.1, 3.0, {5: 0.5, 6: 0.5})
    later = said(5.0, 7.0, {6: 0.9, 5: 0.1})
    first, second = [knock, shake], [whole, later]
    groups = groups_of(second, first) if turned else groups_of(first, second)
    lines = [one_line(group, "both", "sha256:first", heads_of()) for group in groups]
    assert [(line.start_s, line.end_s) for line in lines] == [(0.1, 3.0), (5.0, 7.0)]
    assert lines[0].probabilities == pytest.approx(add_up([shake.probabilities, whole.probabilities]))
    halves = [said(0.0, 1.8, {5: 1.0}), said(2.4, 4.0, {5: 1.0})]
    long = [said(0.0, 4.0, {5: 1.0})]
    assert len(groups_of(halves, long)) == len(groups_of(long, halves)) == 1


def test_a_pair_is_sure_only_of_what_neither_finds_strange() -> None:
    one, other = said(0, 2, {5: 0.95, 6: 0.05}), said(0, 2, {5: 0.9, 6: 0.1})
    assert one_line([[one], [other]], "both", "", heads_of()).verdict == "sure"
    assert one_line([[one], [other]], "both", "", heads_of(sure_from=0.99)).verdict == "unsure"
    strange = one_line([[replace(one, doubt="strange")], [other]], "both", "", heads_of())
    assert (strange.verdict, strange.best) == ("unsure", 5)
    assert strange.reason is not None
    assert strange.reason.startswith("it could be 5")
    loose = replace(one, doubt="strange", reason=STRANGE_LATELY)
    assert one_line([[loose], [other]], "both", "", heads_of()).reason == STRANGE_LATELY
    gentle = replace(other, doubt="sensor", reason=TOO_GENTLE)
    assert one_line([[one], [gentle]], "both", "", heads_of()).reason == gentle.reason


def test_of_two_sensors_that_agree_a_pair_is_sure_as_if_they_erred_alike() -> None:
    """A gentle hand's few beads are two to both: what agrees says less than its odds, which stay as they are."""
    felt, heard = said(0, 2, {2: 0.88, 3: 0.12}), said(0, 2, {2: 0.985, 3: 0.015})
    line = one_line([[felt], [heard]], "both", "", heads_of("contact", 0.96))
    assert line.probabilities[2] > 0.98
    assert (line.verdict, line.reason) == ("unsure", "it could be 2 or 3: shake the same igloo again")
    clear = replace(felt, probabilities={2: 0.98, 3: 0.02})
    assert one_line([[clear], [heard]], "both", "", heads_of("contact", 0.96)).verdict == "sure"


@pytest.mark.parametrize("turned", [False, True])
def test_where_neither_heard_it_well_what_there_is_is_told(turned: bool) -> None:
    refused, clipped = (
        said(0, 2, {}),
        said(0, 2, {5: 0.9, 6: 0.1}, clipped=True, doubt="sensor", reason=IN_ROOM.overdriven),
    )
    group = [[clipped], [refused]] if turned else [[refused], [clipped]]
    line = one_line(group, "both", "sha256:first", heads_of(sure_from=0.5))
    assert (line.verdict, line.best, line.profile) == ("unsure", 5, "sha256:first")


def test_a_shake_that_lost_much_counts_for_nothing_beside_one_that_came_whole() -> None:
    whole, holes = said(0, 2, {5: 0.6, 6: 0.4}), said(0, 2, {2: 0.9, 5: 0.05, 6: 0.05})
    much, little = (replace(holes, reason=PACKETS_LOST, doubt=doubt) for doubt in ("sensor", "odds"))
    assert of_all([(one, one.probabilities) for one in (whole, much)]) == pytest.approx({5: 0.6, 6: 0.4})
    assert believable(little)


def test_a_profile_that_does_not_know_the_likeliest_count_has_no_say() -> None:
    narrow, wide = said(0, 2, {4: 0.6, 5: 0.4}), said(0, 2, {4: 0.1, 5: 0.1, 10: 0.8})
    assert of_all([(narrow, narrow.probabilities), (wide, wide.probabilities)]) == pytest.approx(
        add_up([wide.probabilities])
    )
    known = said(0, 2, {4: 0.1, 5: 0.8, 10: 0.1})
    both = of_all([(narrow, narrow.probabilities), (known, known.probabilities)])
    # a count that one of them does not know is as likely to it as the nearest that it knows
    assert both == pytest.approx(add_up([{4: 0.6, 5: 0.4, 10: 0.4}, known.probabilities]))
    assert sum(both.values()) == pytest.approx(1)


def test_a_pair_is_not_sure_of_a_count_only_because_its_profiles_share_no_other() -> None:
    few = said(0, 2, {2: 0.3, 3: 0.4, 4: 0.3}, reason=could_be({2: 0.3, 3: 0.4, 4: 0.3}))
    thirds = said(0, 2, {3: 0.9, 6: 0.08, 9: 0.02}, reason=could_be({3: 0.9, 6: 0.08, 9: 0.02}))
    line = one_line([[few], [thirds]], "both", "sha256:first", heads_of())
    assert line.verdict == "unsure"
    assert line.probabilities == pytest.approx(
        add_up(
            [
                {2: 0.3, 3: 0.4, 4: 0.3, 6: 0.3, 9: 0.3},
                {2: 0.9, 3: 0.9, 4: 0.9, 6: 0.08, 9: 0.02},
            ]
        )
    )
    assert line.reason == "it could be 2, 3 or 4: shake the same igloo again"
