"""One of several seats whose microphone is a headset or a telephone is named, once, and no seat is blamed for what it
hears of a neighbour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from firmware_bridge.clock import VirtualClock
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.seats.listener import ELSEWHERE, ELSEWHERE_OR_SOFT, TOO_CROWDED
from sensors.ear.sources import capture
from sensors.evidence import Heard
from sensors.why import Why
from table.commands.listen_words import in_words
from table.listening.live import hear_live
from table.listening.narrow import Narrow
from table.listening.seat_each import hear_seats_live
from tests.cards import Cards
from tests.narrow import through
from tests.rattle import Sound, rattle
from tests.table.listening.two_shakes import Capture, told

RATE = 48000
NAMES = ("red", "blue", "green")
QUIET = np.zeros(RATE, np.float32)
SHAKES = [rattle(5, 1, 1.4, RATE), rattle(7, 2, 1.4, RATE), rattle(9, 3, 1.4, RATE)]
SPAN = (1.4, 2.8)  # of red's, the first
CAUSE = (
    "the sound has nothing above {khz} kHz, as after a headset, a telephone or a low MP3, and what is missing tells "
    "beads apart best"
)
LIVE = "take the microphone itself as input, at 44.1 or 48 kHz"
OF_FILES = "record with the microphone itself at 44.1 or 48 kHz, and keep it as WAV or FLAC"
CODECS = [(8000, 4), (16000, 8)]


def table(narrow: dict[str, int], leak: float = 0.1) -> Sound:
    """Red, blue and green shake one after the other, float32[samples, seats]; `narrow`: whose microphone is what."""
    own = [
        np.concatenate([QUIET, *(s if k == seat else 0 * s for k, s in enumerate(SHAKES)), QUIET])
        for seat in range(3)
    ]
    noise = np.random.default_rng(1).standard_normal((3, len(own[0])))
    heard = [one + leak * (sum(own) - one) + 1e-4 * hiss for one, hiss in zip(own, noise, strict=True)]
    each = [
        through(narrow[n], one, RATE) if n in narrow else one for n, one in zip(NAMES, heard, strict=True)
    ]
    return np.stack(each, axis=1).astype(np.float32)


@pytest.fixture(autouse=True)
def all_of_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cards of a test give their sound at one stroke."""
    monkeypatch.setattr(capture, "QUEUED_S", 60.0)


def at_card(cards: Cards, sound: Sound) -> tuple[list[Heard], list[dict[str, Any]]]:
    cards.devices, cards.played, clock = [("card", 3, 48000.0)], sound, VirtualClock()
    said = list(
        hear_seats_live(
            "card", NAMES, load_shipped("microphone"), False, clock, 0.5, lambda s: clock.set(clock.now() + s)
        )
    )
    return [s for s in said if isinstance(s, Heard)], [
        s for s in said if isinstance(s, dict) and s["event"] == "sensor"
    ]


@pytest.mark.parametrize(("codec", "khz"), CODECS)
@pytest.mark.parametrize("seat", ["red", "green"])
def test_a_seat_of_a_card_is_named_once(cards: Cards, codec: int, khz: int, seat: str) -> None:
    shakes, said = at_card(cards, table({seat: codec}))
    why = CAUSE.format(khz=khz)
    assert said == [{"event": "sensor", "source": "card", "seat": seat, "why": why, "mend": LIVE}]
    assert in_words(said[0], felt=False) == f"card {seat}: {why} – {LIVE}"
    assert {s.seat for s in shakes if s.why is Why.NARROW} <= {seat}


def test_a_whole_table_is_not_blamed(cards: Cards) -> None:
    shakes, said = at_card(cards, table({}))
    assert said == []
    assert {s.seat for s in shakes if s.verdict != "not-a-shake"} == set(NAMES)


@pytest.mark.parametrize("one_file", [False, True])
@pytest.mark.parametrize(("codec", "khz"), CODECS)
def test_a_seat_of_files_is_named_once(
    tmp_path: Path, capsys: Capture, one_file: bool, codec: int, khz: int
) -> None:
    sound = table({"blue": codec})
    files = [tmp_path / "table.wav"] if one_file else [tmp_path / f"{name}.wav" for name in NAMES]
    for path, one in zip(files, [sound] if one_file else sound.T, strict=True):
        soundfile.write(path, one, RATE, subtype="PCM_24")
    code, _, said = told(capsys, *map(str, files), "--seats", ",".join(NAMES))
    where = "channel 2 of table.wav" if one_file else "blue.wav"
    lines = [line for line in said.splitlines() if "kHz" in line]
    assert (code, lines) == (0, [f"polartable: of {where} (seat blue), {CAUSE.format(khz=khz)}; {OF_FILES}"])


def test_files_of_a_whole_table_are_not_blamed(tmp_path: Path, capsys: Capture) -> None:
    soundfile.write(tmp_path / "table.wav", table({}), RATE, subtype="PCM_24")
    code, _, said = told(capsys, str(tmp_path / "table.wav"), "--seats", ",".join(NAMES))
    assert (code, said) == (0, "")


def shake(seat: str, **more: Any) -> Heard:
    return replace(Heard("card", *SPAN, "sure", {5: 1.0}, 40.0, False, ""), seat=seat, **more)


def test_whose_shake_nobody_knows_blames_the_only_narrow_microphone() -> None:
    """So much of it is missing there that it was louder elsewhere; and what cables bring of a narrow neighbour has a
    cliff as well."""
    alone, both = Narrow(RATE, NAMES), Narrow(RATE, NAMES)
    alone.push(table({"red": 16000}))
    both.push(table({"red": 16000, "blue": 16000}))
    not_ours: Any = {"verdict": "not-a-shake", "probabilities": {}}
    own, crowded = shake("red"), shake("red", verdict="unsure", reason=TOO_CROWDED)
    open_, elsewhere = (shake("red", **not_ours, reason=why) for why in (ELSEWHERE_OR_SOFT, ELSEWHERE))
    assert [alone.fault(s) is not None for s in (own, crowded, open_, elsewhere)] == [True, True, True, False]
    assert [both.fault(s) is not None for s in (own, crowded, open_, elsewhere)] == [
        True,
        False,
        False,
        False,
    ]
    assert alone.fault(shake("blue")) is None


class Elsewhere:
    """One seat's ear at a table, to which all it hears seems louder elsewhere."""

    level_db = -60.0
    leaves_out_losses = False

    def push(self, block: np.ndarray) -> Iterator[Heard]:
        return iter(())

    def finish(self) -> Iterator[Heard]:
        yield shake("red", verdict="not-a-shake", probabilities={}, reason=ELSEWHERE_OR_SOFT)


@pytest.mark.parametrize("codec", [None, 16000])
def test_at_a_table_each_seat_s_own_input_is_told_before_a_shake_was_its_own(
    cards: Cards, codec: int | None
) -> None:
    cards.played, clock = table({} if codec is None else {"red": codec})[:, :1], VirtualClock()
    said = list(
        hear_live(
            "USB", load_shipped("microphone"), False, clock, 0.5, lambda s: clock.set(clock.now() + s),
            at_seat=lambda rate, channels: Elsewhere(),
        )
    )  # fmt: skip
    sensor = {"event": "sensor", "source": "USB", "why": CAUSE.format(khz=8), "mend": LIVE}
    assert [s for s in said if isinstance(s, dict) and s["event"] == "sensor"] == ([sensor] if codec else [])
    assert [s.why for s in said if isinstance(s, Heard)] == [Why.ELSEWHERE_OR_SOFT]
