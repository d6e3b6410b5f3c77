"""Folders in which the sitting gives the count away are recognised; sweeps are not accused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.recordings.folder import Recording
from calibration.takes.features import Row
from calibration.traps.along_counts import AlongCounts, along_counts
from calibration.traps.confounding import ByEar, by_its_name, look
from sensors.ear.frames.frontend import Envelopes, front_end_for
from sensors.ear.shakes.shake import shake_of
from tests.rattle import RATE, rattle


def row(beads: int, session: str, seed: int, loudness: float) -> Row:
    front = front_end_for("microphone", RATE)
    sound = loudness * rattle(beads, seed, seconds=0.8)[:, None]
    shake = shake_of(front, Envelopes(front, RATE, 1).push(sound.astype(np.float32)))
    assert shake is not None
    recording = Recording(Path(), f"{seed}", "microphone", beads, session=session)
    return Row(recording, RATE, shake, 40.0, False, -60.0 + float(np.random.default_rng(seed).normal()))


def test_ten_takes_of_each_igloo_in_a_row_are_a_trap() -> None:
    random = np.random.default_rng(2)
    rows, seed = [], 0
    for beads in (2, 5, 8, 11):
        for sitting in range(2):
            gain = float(np.exp(1.2 * random.standard_normal()))
            for _ in range(6):
                seed += 1
                rows.append(
                    row(
                        beads,
                        f"b{beads}-{sitting}",
                        seed,
                        gain * float(np.exp(0.03 * random.standard_normal())),
                    )
                )
    (trap, *_) = look(rows, None)
    assert isinstance(trap, ByEar)
    assert trap.what == "loudness"
    assert trap.inside > trap.across + 0.12
    assert "record sweeps" in trap.sentence()
    assert [found.what for found in look(rows)] == ["the name of the session", trap.what]


def test_two_sittings_are_enough_for_a_trap() -> None:
    """Each of two igloos, so that no name tells the count, and loudness does."""
    held = {"monday": (2, 5), "tuesday": (8, 11)}
    rows = [
        row(beads, session, 10 * beads + i, 0.1 * beads**1.5)
        for session, both in held.items()
        for beads in both
        for i in range(6)
    ]
    assert [found.what for found in look(rows)] == ["loudness"]
    one = [replace(r, recording=replace(r.recording, session="monday")) for r in rows]
    assert look(one) == []  # across sittings nothing can be asked


def test_sweeps_are_no_trap() -> None:
    random = np.random.default_rng(2)
    rows = [
        row(beads, f"sweep {sweep}", 100 * sweep + beads, float(np.exp(0.4 * random.standard_normal())))
        for sweep in range(6)
        for beads in (2, 4, 6, 8, 10, 12)
    ]
    assert look(rows) == []


def swept(
    along: float, what: str, sensor: str = "accelerometer", seed: int = 3, usual: float = 0.2
) -> list[Row]:
    """Four sweeps, of which a shake's strength, length or background grows as its count to this power, with the usual
    spread."""
    random = np.random.default_rng(seed)
    front = front_end_for(sensor, 1600.0 if sensor == "accelerometer" else RATE)  # type: ignore[arg-type]
    like = row(5, "any", 1, 1.0)
    rows = []
    for sweep in range(4):
        for beads in range(2, 14):
            spread = along * np.log(beads) + usual * random.standard_normal()
            shake = replace(like.shake, front=front, strength=float(spread) if what == "hard" else 0.0)
            quiet = -60.0 + 10.0 * float(spread) if what == "background" else None
            if what == "long":
                shake = replace(shake, end_s=shake.start_s + 2.0 * float(np.exp(spread)))
            recording = replace(like.recording, beads=beads, session=f"sweep {sweep}")
            snr = 40.0 + 10.0 * float(np.log10(beads))
            rows.append(replace(like, recording=recording, shake=shake, snr_db=snr, quiet_db=quiet))
    return rows


@pytest.mark.parametrize("what", ["hard", "long", "background"])
def test_what_goes_with_the_count_within_sittings_is_a_trap(what: str) -> None:
    """Leaving sessions out shows nothing of it, and whoever shakes all alike is told wrongly."""
    assert along_counts(swept(0.0, what)) == []
    for along in (0.7, -0.7):
        (trap,) = along_counts(swept(along, what))
        assert what in trap.what
        assert isinstance(trap, AlongCounts)
        assert trap.correlation * np.sign(along) > 0.8
    assert along_counts(swept(0.7, what)[:23]) == []  # too few to tell it from chance
    assert look(swept(0.7, what)) == []  # no sitting gives a count away
    assert along_counts(swept(0.07, what, usual=0.01)) == []  # closely, and by next to nothing


def test_the_background_of_few_takes_tells_nothing() -> None:
    rows = swept(0.7, "background")
    (trap,) = along_counts(rows)
    assert "igloos in any other noise" in trap.sentence()
    assert along_counts([r if i % 3 else replace(r, quiet_db=None) for i, r in enumerate(rows)]) != []
    assert along_counts([replace(r, quiet_db=None) if i % 3 else r for i, r in enumerate(rows)]) == []
    assert along_counts(swept(0.25, "background")) == []  # some of it rattles on behind a shake


def test_takes_that_were_brought_to_one_level_are_no_trap_and_on_the_shell_a_doubt() -> None:
    """What is louder was turned down, and the room with it."""
    one_level = [
        replace(r, snr_db=r.snr_db, background_db=-r.snr_db, quiet_db=-r.snr_db)
        for r in swept(0.0, "background")
    ]
    assert along_counts(one_level) == []
    on_shell = [replace(r, recording=replace(r.recording, more={"place": "shell"})) for r in one_level]
    (doubt,) = along_counts(on_shell)
    assert doubt.what == "the gain"
    assert not doubt.refuses


def test_the_length_of_what_nobody_heard_begin_or_end_says_nothing() -> None:
    rows = [replace(r, snr_db=5.0) if (r.recording.beads or 0) < 4 else r for r in swept(0.0, "long")]
    whole = [
        replace(r, shake=replace(r.shake, end_s=r.shake.start_s + 9.0)) if r.snr_db < 10 else r for r in rows
    ]
    assert along_counts(whole) == []
    assert along_counts([replace(r, snr_db=40.0) for r in whole]) != []
    assert along_counts([replace(r, snr_db=5.0) for r in swept(0.7, "long")]) == []


def test_figures_are_refused_where_what_is_tested_is_so() -> None:
    """Others that were shaken so teach the fit a wrong thing, and the figure of sweeps stays honest."""
    harder, alike = swept(0.7, "hard"), swept(0.0, "hard", seed=4)
    also = [replace(r, recording=replace(r.recording, session="later")) for r in alike[:12]]
    heard = [*harder, *also]
    (trap,) = along_counts(heard, harder[:12])
    assert trap.refuses
    (beside,) = along_counts(heard, also)
    assert not beside.refuses
    assert "even with whole sessions" not in beside.sentence()
    (elsewhere,) = along_counts(harder, learned=False)  # a profile that was made of others
    assert not elsewhere.refuses


def test_strokes_that_are_heard_are_no_strength() -> None:
    """Those of few beads are often missed, whoever shakes."""
    assert along_counts(swept(0.7, "hard", "microphone")) == []


def takes(*sessions: tuple[str | None, list[int]], player: str = "anna") -> list[Recording]:
    return [
        Recording(Path(), f"{name}-{i}", "microphone", beads, player=player, session=name)
        for name, held in sessions
        for i, beads in enumerate(held)
    ]


ROWS = [(f"of {n}", [n, n]) for n in range(2, 14)]


def test_two_takes_of_one_igloo_a_session_are_told_by_its_name() -> None:
    found = by_its_name(takes(*ROWS))
    assert found is not None
    assert "24 of 24 takes are of a session that holds one or two of the counts" in found.sentence()
    assert "--test-on" in found.sentence()
    assert by_its_name(takes(*((f"{n}", [n, n + 1] * 2) for n in range(2, 14, 2)))) is not None
    assert by_its_name(takes(*ROWS, *((f"sweep {i}", list(range(2, 14))) for i in range(3)))) is None


def test_takes_that_do_not_count_hide_no_sessions_of_one_igloo() -> None:
    swept = takes(*((f"sweep {i}", list(range(2, 14))) for i in range(3)))
    aside = [replace(r, beads=None) for r in swept] + [replace(r, rejected="noise") for r in swept]
    assert by_its_name(takes(*ROWS) + aside) == by_its_name(takes(*ROWS))


def test_players_of_whole_sweeps_are_not_accused_of_sessions_of_one_igloo() -> None:
    both = takes(*ROWS) + takes(*ROWS, player="bela")
    assert by_its_name(both, "player") is None
    assert by_its_name(both, "session") is not None


@pytest.mark.parametrize(
    "sessions",
    [
        [(None, [n, n]) for n in range(2, 14)],  # nobody named them
        [(f"take {n}", [n]) for n in range(2, 14)],  # each take a session: a sweep, for all that is known
        [(f"night {i}", [3, 8, 8, 3]) for i in range(6)],  # a game with two igloos
        [(f"night {i}", [2 + i, 5 + i, 8 + i, 5 + i]) for i in range(4)],
        [(f"{i}", [2, 5, 8]) for i in range(8)],  # a small set
        [("one", [7] * 12)],
    ],
)
def test_sessions_of_few_counts_are_no_trap_by_themselves(
    sessions: list[tuple[str | None, list[int]]],
) -> None:
    assert by_its_name(takes(*sessions)) is None
