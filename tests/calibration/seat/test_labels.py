"""Labels that a set's weights contradict: told, left out, and never sure by them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import soundfile

from calibration.recordings.folder import read
from calibration.seat.fit import fit_taps
from calibration.seat.labels import as_error, in_doubt
from calibration.seat.taps import Tapped, answer, listen
from firmware_bridge.errors import PolartableError
from sensors.ear.errors import FitError
from table.cli import run
from tests.sensors.gesture.seat_table import COUNTS, RATE, Table

Relabel = Callable[[Mapping[int, int]], list[Tapped]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("set")
    for n in COUNTS:
        samples = Table(n).quiet(0.4).tap().tap().placed(n, n, n).quiet(0.3).take()
        soundfile.write(folder / f"{n:02d}.wav", samples, round(RATE), subtype="FLOAT")
    return folder


@pytest.fixture
def labelled(folder: Path) -> Relabel:
    """The set as listed with other labels for some, by what an igloo holds."""

    def listed(wrong: Mapping[int, int]) -> list[Tapped]:
        with (folder / "recordings.jsonl").open("w") as index:
            for n in COUNTS:
                if wrong.get(n) != 0:
                    line = {"file": f"{n:02d}.wav", "sensor": "accelerometer", "gesture": "seat-tap",
                            "place": "seat", "beads": wrong.get(n, n), "device": "D01", "session": "s1"}  # fmt: skip
                    index.write(json.dumps(line) + "\n")
        return list(listen(read(folder, pytest.fail), pytest.fail))

    return listed


def exchanged(one: int, other: int) -> dict[int, int]:
    return {one: other, other: one}


@pytest.mark.parametrize(
    "wrong",
    [
        exchanged(3, 12),
        exchanged(5, 8),
        exchanged(6, 7),
        {3: 7, 7: 11, 11: 3},
        {n: 15 - n for n in COUNTS},
        {4: 13, 13: 0},  # the thirteenth was not weighed
    ],
)
def test_labels_that_the_weights_contradict_are_named(labelled: Relabel, wrong: Mapping[int, int]) -> None:
    (doubts,) = in_doubt(labelled(wrong), COUNTS).values()
    assert doubts == {label: n for n, label in wrong.items() if label}


def test_only_the_sitting_that_was_listed_wrongly_is_left_out(labelled: Relabel) -> None:
    def in_session(name: str, wrong: Mapping[int, int]) -> list[Tapped]:
        return [replace(t, recording=replace(t.recording, session=name)) for t in labelled(wrong)]

    told: list[PolartableError] = []
    tapped = [*in_session("s1", {}), *in_session("s2", {}), *in_session("s3", exchanged(3, 12))]
    profile = fit_taps(tapped, None, told.append)
    assert list(profile.fitted_on.beads or ()) == list(COUNTS)
    assert len(told) == 1
    assert "recorded in the session s3 as 3 and 12 beads" in str(told[0])


@pytest.mark.parametrize("missing", [(), (2, 13), (3, 6, 9, 12), (2, 3, 4, 5, 6, 7, 8)])
def test_right_labels_are_never_doubted_nor_all_that_are_moved_by_one(
    labelled: Relabel, missing: tuple[int, ...]
) -> None:
    assert in_doubt(labelled(dict.fromkeys(missing, 0)), COUNTS) == {}
    moved = {n: n + 1 for n in COUNTS}
    assert in_doubt(labelled(moved | dict.fromkeys(missing, 0)), range(2, 15)) == {}


def test_labels_that_only_two_sittings_together_contradict_are_named_as_of_none_of_them(
    labelled: Relabel,
) -> None:
    """Three igloos lie on some line whatever they are called."""
    told: list[PolartableError] = []
    wrong = [t for t in labelled(exchanged(3, 12)) if t.recording.beads in (3, 5, 7, 9, 11, 12)]
    tapped = [
        replace(t, recording=replace(t.recording, session=f"s{(t.recording.beads or 0) // 8}")) for t in wrong
    ]
    assert in_doubt(tapped, COUNTS) == {None: exchanged(3, 12)}
    assert list(fit_taps(tapped, None, told.append).fitted_on.beads or ()) == [5, 7, 9, 11]
    assert "recorded as 3 and 12 beads" in str(told[0])


def on_other_feet(tapped: Tapped, sideways: float) -> Tapped:
    """Weighed on another day, when everything weighed so much more sideways."""
    assert tapped.gesture is not None
    weights = [replace(w, sideways=w.sideways * (1 + sideways)) for w in tapped.gesture.weights]
    gesture = replace(tapped.gesture, weights=weights)
    return replace(tapped, recording=replace(tapped.recording, session="s2"), gesture=gesture)


@pytest.mark.parametrize("sideways", [-0.03, 0.03])
def test_igloos_of_a_day_on_other_feet_are_not_doubted(labelled: Relabel, sideways: float) -> None:
    """They seem to hold two or three more or less."""
    later = (5, 8, 11)
    whole = labelled({})
    tapped = [t for t in whole if t.recording.beads not in later[1:]]
    tapped += [on_other_feet(t, sideways) for t in whole if t.recording.beads in later]
    assert in_doubt(tapped, COUNTS) == {}
    profile = fit_taps(tapped, None, pytest.fail)
    assert list(profile.fitted_on.beads or ()) == list(COUNTS)
    assert all(answer(profile, t).best == t.recording.beads for t in whole)


def test_igloos_that_were_exchanged_are_left_out_and_bend_nobody_elses_count(labelled: Relabel) -> None:
    told: list[PolartableError] = []
    profile = fit_taps(labelled(exchanged(3, 12)), None, told.append)
    assert len(told) == 1
    assert "recorded as 3 and 12 beads: by what is loose in them, they weigh like 12 and 3" in str(told[0])
    assert list(profile.fitted_on.beads or ()) == [n for n in COUNTS if n not in (3, 12)]
    for heard in (answer(profile, t).heard for t in labelled({})):
        assert (heard.verdict == "sure") == (heard.best not in (3, 12))
    for one in labelled({}):
        if one.recording.beads not in (3, 12):
            assert answer(profile, one).best == one.recording.beads


def test_a_set_in_reverse_order_gives_no_profile(labelled: Relabel) -> None:
    told: list[PolartableError] = []
    with pytest.raises(FitError, match="three igloos"):
        fit_taps(labelled({n: 15 - n for n in COUNTS}), None, told.append)
    assert "they weigh like 13, 12, 11" in str(told[0])


def test_nor_do_two_sittings_of_it(labelled: Relabel) -> None:
    """Nothing is left then that could be put on one day."""
    told: list[PolartableError] = []
    backwards = labelled({n: 15 - n for n in COUNTS})
    again = [replace(t, recording=replace(t.recording, session="s2")) for t in backwards]
    with pytest.raises(FitError, match="three igloos"):
        fit_taps([*backwards, *again], None, told.append)
    assert [
        f"in the session {name} as" in str(one) for name, one in zip(("s1", "s2"), told, strict=False)
    ] == [
        True,
        True,
    ]


def test_fit_ends_with_two_where_labels_are_in_doubt(
    labelled: Relabel, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labelled(exchanged(5, 8))
    words = ["calibrate", "igloos", "fit", str(folder), "--out", str(folder / "x.profile")]
    assert run(words) == 2
    assert "recorded as 5 and 8 beads" in capsys.readouterr().err


def test_one_label_alone_is_told_as_one() -> None:
    assert "without that recorded as 4 beads: by what is loose in it, it weighs like 5" in str(
        as_error("D01", {4: 5})
    )
