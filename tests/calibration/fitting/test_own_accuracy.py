"""A profile's figures on its own takes, and from when it is sure: of what all heads that count together say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from calibration.fitting.own_accuracy import (
    DOUBT_KEPT,
    DOUBT_LEFT,
    SURE_LEAST,
    SURE_RIGHT,
    SURE_SEEN,
    LeftOut,
    _threshold,
    heard_by_all,
    own_accuracy,
)
from calibration.recordings.folder import Recording
from calibration.takes.features import Row
from sensors.ear.frames.frontend import FRONT_ENDS, Floats, FrontEnd, front_end_for
from sensors.ear.models.model import joined, of_one_view
from sensors.ear.profiles.profile import Head

COUNTS = tuple(range(2, 14))
FINE, OTHER = FRONT_ENDS[0], FRONT_ENDS[1]
FELT = front_end_for("accelerometer", 1600.0)


def rows(many: int) -> list[Row]:
    """Of these figures only the recording is asked."""
    recordings = [
        Recording(Path("folder"), f"{i}.wav", "microphone", 2 + i % 12, session=f"s{i // 12}")
        for i in range(many)
    ]
    return [cast("Row", SimpleNamespace(recording=recording)) for recording in recordings]


def pointing(at: list[int], p: float) -> Floats:
    """ln p of answers that all give `p` to these counts."""
    out = np.full((len(at), len(COUNTS)), (1 - p) / (len(COUNTS) - 1))
    out[np.arange(len(at)), np.array(at) - 2] = p
    told: Floats = np.log(out)
    return told


def test_two_heads_are_judged_by_what_they_say_together() -> None:
    takes = rows(96)
    beads = [row.recording.beads or 0 for row in takes]
    # one is sure and wrong of every eighth take, where the other knows better
    wrong = [2 + (n - 1) % 12 if i % 8 == 0 else n for i, n in enumerate(beads)]
    first = LeftOut(FINE, takes, pointing(wrong, 0.9))
    second = LeftOut(OTHER, takes, pointing(beads, 0.95))
    alone, sure_alone = own_accuracy([first], COUNTS, None)
    both, sure_both = own_accuracy([first, second], COUNTS, None)
    assert alone["exact"] == pytest.approx(7 / 8)
    assert sure_alone > 0.95  # of such answers too many were wrong
    assert alone["sure_share"] == 0
    assert both["exact"] == 1.0
    agreed = joined([first.scores[1:2], second.scores[1:2]], [FINE.name, OTHER.name])
    # as sure as where both agree, which feel no hand and are no surer for that, and a margin
    assert sure_both == pytest.approx(1 - DOUBT_KEPT * (1 - of_one_view(agreed, [FINE, OTHER]).max()))
    assert both["log_score"] > alone["log_score"]


def test_recordings_that_one_head_did_not_hear_do_not_count_wherever_they_stand() -> None:
    takes = rows(48)
    beads = [row.recording.beads or 0 for row in takes]
    some = [i for i in range(48) if i % 3][::-1]
    first = LeftOut(FINE, takes, pointing(beads, 0.9))
    second = LeftOut(OTHER, [takes[i] for i in some], pointing([beads[i] for i in some], 0.9))
    assert heard_by_all([first, second]) == 32
    for told in ([first, second], [second, first]):
        figures, _ = own_accuracy(told, COUNTS, None)
        assert figures["n"] == 32
        assert figures["exact"] == 1.0


def test_an_owners_sweep_is_believed_once_however_often_it_is_fitted_on() -> None:
    """The shipped threshold stays where the hand is felt and strange sounds are told apart, and one's own profile's;
    elsewhere, and of several sets at once, there is less doubt to give."""
    takes = rows(24)
    told = LeftOut(FELT, takes, pointing([row.recording.beads or 0 for row in takes], 0.99))

    def start(
        sure_from: float, strange_from: float | None = None, known: bool = True, front: FrontEnd = FELT
    ) -> Head:
        model = SimpleNamespace(populations=object() if known else None)
        return cast(
            "Head", SimpleNamespace(front=front, model=model, sure_from=sure_from, strange_from=strange_from)
        )

    def sure_from(of: Head, told: LeftOut = told) -> float:
        return own_accuracy([told], COUNTS, of)[1]

    once = sure_from(start(0.96))
    assert once == pytest.approx(0.96)
    assert sure_from(start(once, strange_from=5.0)) == pytest.approx(once)
    assert sure_from(start(0.96, strange_from=5.0, front=FINE)) == pytest.approx(0.96)
    for other in (start(0.96, known=False), start(0.96, front=FINE)):
        assert sure_from(other) == pytest.approx(1 - DOUBT_LEFT * 0.04)
    two = [
        cast("Row", SimpleNamespace(recording=replace(row.recording, device=f"D{i % 2}")))
        for i, row in enumerate(takes)
    ]
    assert sure_from(start(0.96), replace(told, rows=two)) == pytest.approx(1 - DOUBT_LEFT * 0.04)


def test_a_threshold_that_own_takes_speak_against_is_raised() -> None:
    takes = rows(48)
    beads = [row.recording.beads or 0 for row in takes]
    model = SimpleNamespace(populations=object())
    start = cast("Head", SimpleNamespace(front=FELT, model=model, sure_from=0.9, strange_from=None))

    def sure_from(wrong: int, of: int = 48) -> float:
        said = [2 + (n - 1) % 12 if i < wrong else n for i, n in enumerate(beads)]
        return own_accuracy([LeftOut(FELT, takes[:of], pointing(said[:of], 0.95))], COUNTS, start)[1]

    assert sure_from(0) == sure_from(3) == pytest.approx(0.9)
    assert sure_from(1, of=12) == pytest.approx(0.9)  # one error of a handful does not speak against it
    assert sure_from(4) == pytest.approx(1 - DOUBT_KEPT * (1 - SURE_RIGHT - 0.02))
    assert sure_from(2, of=12) > 0.95


def test_a_guided_gesture_is_made_alike_by_all_and_needs_no_margin() -> None:
    free = rows(96)
    guided = [
        cast("Row", SimpleNamespace(recording=replace(row.recording, more={"gesture": "knock"})))
        for row in free
    ]
    told = pointing([row.recording.beads or 0 for row in free], 0.9)
    assert own_accuracy([LeftOut(FINE, guided, told)], COUNTS, None)[1] == pytest.approx(0.9)
    assert own_accuracy([LeftOut(FINE, free, told)], COUNTS, None)[1] == pytest.approx(1 - DOUBT_KEPT * 0.1)


def test_takes_of_counts_that_are_not_asked_for_are_of_no_figure() -> None:
    takes = rows(48)
    odd = [
        cast("Row", SimpleNamespace(recording=replace(row.recording, beads=20, session="odd")))
        if i % 4 == 0
        else row
        for i, row in enumerate(takes)
    ]
    told = pointing([row.recording.beads or 0 for row in takes], 0.9)
    figures, sure = own_accuracy([LeftOut(FINE, odd, told)], COUNTS, None)
    kept = [i for i in range(48) if i % 4]
    expected = own_accuracy([LeftOut(FINE, [takes[i] for i in kept], told[kept])], COUNTS, None)
    assert (figures, sure) == expected
    assert figures["n"] == 36


def test_the_log_score_is_of_the_true_counts() -> None:
    takes = rows(24)
    said = [2 + (n - 1) % 12 if i < 6 else n for i, n in enumerate(row.recording.beads or 0 for row in takes)]
    figures, _ = own_accuracy([LeftOut(FINE, takes, pointing(said, 0.8))], COUNTS, None)
    assert figures["log_score"] == pytest.approx((18 * np.log(0.8) + 6 * np.log(0.2 / 11)) / 24, abs=1e-5)


@pytest.mark.parametrize("seed", range(30))
def test_sure_is_from_the_least_probability_that_was_right_often_enough(seed: int) -> None:
    """One imagined error beside those that were seen; and where nothing was, above all that was said."""
    random = np.random.default_rng(seed)
    confidence = random.permutation(np.arange(300, 1000))[: random.integers(1, 300)] / 1000
    right = random.random(len(confidence)) < confidence ** random.uniform(0.0, 0.3)
    enough = [
        p
        for p in confidence
        if p >= SURE_LEAST and right[confidence >= p].sum() >= SURE_SEEN * (1 + (confidence >= p).sum())
    ]
    found = _threshold(confidence, right)
    if enough:
        assert found == min(enough)
    else:
        assert found >= SURE_RIGHT + 0.02
        assert found > confidence.max() or found == 0.999
