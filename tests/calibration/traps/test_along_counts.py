"""What goes with the count within sittings is told, by how much it does; what beads make of it themselves is not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from calibration.takes.features import Row
from calibration.traps.along_counts import AlongCounts, along_counts
from calibration.traps.confounding import look
from sensors.ear.frames.frontend import front_end_for
from sensors.ear.sources.at_rest import Fault
from tests.calibration.traps.rattled import row
from tests.rattle import RATE


def swept(
    along: float, what: str, sensor: str = "accelerometer", seed: int = 3, usual: float = 0.2
) -> list[Row]:
    """Four sweeps, of which a shake's strength, pace, length or background grows as its count to this power, with the
    usual spread."""
    random = np.random.default_rng(seed)
    front = front_end_for(sensor, 1600.0 if sensor == "accelerometer" else RATE)  # type: ignore[arg-type]
    like = row(5, "any", 1, 1.0)
    rows = []
    for sweep in range(4):
        for beads in range(2, 14):
            spread = along * np.log(beads) + usual * random.standard_normal()
            shake = replace(like.shake, front=front, strength=float(spread) if what == "hard" else 0.0)
            if what == "fast":
                shake = replace(shake, names=("hand.pitch",), values=np.array([spread]))
            quiet = -60.0 + 10.0 * float(spread) if what == "background" else None
            if what == "long":
                shake = replace(shake, end_s=shake.start_s + 2.0 * float(np.exp(spread)))
            recording = replace(like.recording, beads=beads, session=f"sweep {sweep}")
            snr = 40.0 + 10.0 * float(np.log10(beads))
            rows.append(replace(like, recording=recording, shake=shake, snr_db=snr, quiet_db=quiet))
    return rows


@pytest.mark.parametrize("what", ["hard", "fast", "long", "background"])
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


def test_what_goes_with_the_count_in_a_few_takes_may_be_chance() -> None:
    """Two sweeps of a hand that grew a little harder with the count tell less than four of the same."""
    rows = swept(0.35, "hard")
    (trap,) = along_counts(rows)
    assert trap.correlation < 0.8
    assert along_counts(rows[:24]) == []


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


def test_a_background_on_the_shell_that_goes_with_the_count_is_told_once_and_its_gain_not_asked() -> None:
    """Of louder rooms the shell is louder as a whole as well."""
    rows = swept(0.7, "background")
    on_shell = [replace(r, recording=replace(r.recording, more={"place": "shell"})) for r in rows]
    assert [one.what for one in along_counts(on_shell)] == ["the background"]


def test_however_an_empty_igloo_was_shaken_nothing_goes_with_the_count_for_it() -> None:
    """ln 0 is no point of the line."""
    rows = swept(0.7, "hard")
    empty = replace(rows[0], recording=replace(rows[0].recording, beads=0))
    gently = replace(empty, shake=replace(empty.shake, strength=-99.0))
    assert along_counts([*rows, *[gently] * 12]) == along_counts(rows)


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


def test_strokes_that_are_heard_are_no_strength_and_no_pace() -> None:
    """Those of few beads are often missed, whoever shakes."""
    assert along_counts(swept(0.7, "hard", "microphone")) == []
    assert along_counts(swept(0.7, "fast", "microphone")) == []


def test_a_hand_that_shook_fuller_igloos_faster_is_asked_for_one_pace() -> None:
    (trap,) = along_counts(swept(0.7, "fast"))
    assert "how fast the hand shook goes with the count" in trap.sentence()
    assert "all igloos shaken as fast" in trap.sentence()
    assert trap.refuses


def _written(rows: list[Row], file: Callable[[int, int], tuple[str, float]]) -> list[Row]:
    """As files of this ending and rate, by session and beads."""
    out = []
    for r in rows:
        ending, rate = file(int((r.recording.session or "").split()[-1]), r.recording.beads or 0)
        recording = replace(r.recording, file=f"{r.recording.session}-{r.recording.beads}{ending}")
        out.append(replace(r, recording=recording, rate=rate))
    return out


def test_a_kind_of_sound_file_that_goes_with_the_count_is_a_trap() -> None:
    """As where two people have each recorded half of the igloos, with their own phones."""
    sweeps = swept(0.0, "hard", "microphone")
    for file in (
        lambda _, beads: (".mp3" if beads > 7 else ".wav", 48000.0),
        lambda _, beads: (".wav", 48000.0 if beads > 7 else 44100.0),
        lambda _, beads: (".wav", 32000.0 + 1000 * (beads * 5 % 13)),  # each its own
    ):
        (trap,) = along_counts(_written(sweeps, file))
        assert trap.refuses
        assert "the kind of sound file goes with the count" in trap.sentence()
        assert "same program" in trap.advice()
    few = Fault("bits", "the sound has 8 bits a sample", "record with 16 bits")
    (trap,) = along_counts([replace(r, lacks=few) if (r.recording.beads or 0) > 7 else r for r in sweeps])
    assert trap.what == "the kind of sound file"
    (doubt,) = along_counts(
        _written(sweeps, lambda _, n: (".mp3" if n > 7 else ".wav", 48000.0)), learned=False
    )
    assert not doubt.refuses


def test_each_igloos_own_sensor_may_have_a_rate_of_its_own() -> None:
    for sensor in ("accelerometer", "contact"):
        rows = _written(swept(0.0, "hard"), lambda _, beads: (".wav", 1600.0 + beads))
        if sensor == "contact":
            rows = [replace(r, recording=replace(r.recording, more={"place": "shell"})) for r in rows]
        else:
            rows = [replace(r, recording=replace(r.recording, sensor="accelerometer")) for r in rows]
        assert along_counts(rows) == []


def test_kinds_of_sound_files_that_tell_no_count_are_no_trap() -> None:
    sweeps, random = swept(0.0, "hard", "microphone"), np.random.default_rng(1)
    for file in (
        lambda session, _: (
            ".mp3" if session > 1 else ".wav",
            44100.0 + session,
        ),  # another phone on another day
        lambda _, beads: (".mp3" if beads % 2 else ".wav", 48000.0),  # by turns
        lambda session, beads: (
            ".mp3" if (beads > 7) == (session > 1) else ".wav",
            48000.0,
        ),  # the other way round
        lambda *_: (".mp3" if random.random() < 0.5 else ".WAV", 44100.0),
        lambda *_: (".wav", float(random.integers(30000, 50000))),  # a clock's true rate, each another
        lambda _, beads: (".mp3" if beads == 13 else ".wav", 48000.0),  # one igloo again with a new phone
    ):
        assert along_counts(_written(sweeps, file)) == []
