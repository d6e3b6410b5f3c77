"""What the tests of calibration share."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from calibration.fitting import heads
from calibration.recordings import folder as store
from calibration.recordings.folder import Recording
from calibration.seat import taps as seat_taps
from calibration.seat.taps import Tapped
from calibration.takes import features as takes
from sensors.ear.frames.frontend import FrontEnd
from sensors.ear.shakes.shake import Shake
from sensors.gesture.profile import GestureProfile
from table.cli import run
from table.commands import calibrate_record, igloo_report
from table.recording.asking import Question
from tests.calibration.recordings.wizard import ENDED, INTERRUPT, SHAKEN, unhurried
from tests.rattle import write_sweeps


@pytest.fixture(scope="session", autouse=True)
def heard_once() -> Iterator[None]:
    """Sound that was heard is not heard again by the next test: the same bytes through the same front end give the same
    row, and hearing them anew took half of these tests' time. Processes of their own (`--jobs`) hear for themselves,
    and what comes of both is compared bit for bit (`test_bulk.py`)."""
    kept: dict[Any, tuple[takes.Row, Shake | None]] = {}
    hear = takes.hear

    def once(
        recording: Recording, front: FrontEnd, like: Shake | None = None, course: bool = False
    ) -> takes.Row:
        try:
            sound = sha256(recording.path.read_bytes()).digest()
        except OSError:
            return hear(recording, front, like, course)
        key = (sound, recording.path.suffix, recording.gesture, front, id(like), course)
        if key not in kept:
            kept[key] = hear(recording, front, like, course), like  # a `like` that is kept keeps its id
        return replace(kept[key][0], recording=recording)

    begun: dict[Any, dict[float, list[takes.Row]]] = {}
    beginnings = takes.beginnings

    def begun_once(of_one: Sequence[takes.Row], lengths: Sequence[float]) -> dict[float, list[takes.Row]]:
        recording = of_one[0].recording
        try:
            sound = sha256(recording.path.read_bytes()).digest()
        except OSError:
            return beginnings(of_one, lengths)
        shakes = tuple((row.front, row.shake.start_s, row.shake.seconds) for row in of_one)
        key = (sound, recording.path.suffix, recording.gesture, shakes, tuple(lengths))
        if key not in begun:
            begun[key] = beginnings(of_one, lengths)
        return {s: [replace(row, recording=recording) for row in rows] for s, rows in begun[key].items()}

    weighed: dict[Any, Tapped] = {}
    hear_taps = seat_taps.hear_taps

    def weighed_once(recording: Recording, profile: GestureProfile | None = None) -> Tapped:
        try:
            sound = sha256(recording.path.read_bytes()).digest()
        except OSError:
            return hear_taps(recording, profile)
        known = profile and profile.set_for(seat_taps.set_called(recording.device, profile))
        key = (sound, recording.path.suffix, recording.sensor, known and known.empty)
        if key not in weighed:
            weighed[key] = hear_taps(recording, profile)
        return replace(weighed[key], recording=recording)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(takes, "hear", once)
        patch.setattr(takes, "beginnings", begun_once)
        patch.setattr(igloo_report, "beginnings", begun_once)
        patch.setattr(seat_taps, "hear_taps", weighed_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def fitted_once() -> Iterator[None]:
    """Nor is a model fitted twice on the same numbers: folds of one folder are the same in most of a module's tests.
    What comes of it elsewhere is compared bit for bit as well."""
    kept: dict[bytes, Any] = {}
    fit_model = heads.fit_model

    def once(*given: Any, **more: Any) -> Any:
        key = sha256(pickle.dumps((given, more))).digest()
        if key not in kept:
            kept[key] = fit_model(*given, **more)
        return kept[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heads, "fit_model", once)
        yield


@pytest.fixture(scope="module")
def sweeps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of rattles by three "people" at the table; a module's own, for some write into it."""
    folder = tmp_path_factory.mktemp("sweeps")
    write_sweeps(folder, place="table")
    return folder


@pytest.fixture(scope="module")
def heard(sweeps: Path) -> list[list[takes.Row]]:
    """The rattles of `sweeps` as rows."""
    complaints: list[Exception] = []
    chosen = list(store.read(sweeps, complaints.append))
    read = list(takes.rows(chosen, complaints.append, takes.fronts_of(chosen)))
    assert not complaints
    return read


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four igloos, three sessions, at the table."""
    folder = tmp_path_factory.mktemp("few")
    write_sweeps(folder, counts=range(2, 14, 3), place="table")
    return folder


@pytest.fixture(scope="module")
def two_to_five(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Igloos of 2 … 5 beads, three sessions, at the table."""
    folder = tmp_path_factory.mktemp("two_to_five")
    write_sweeps(folder, counts=range(2, 6), place="table")
    return folder


@pytest.fixture(scope="module")
def one_sitting(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder of one session, and the profile that was fitted on it."""
    folder = tmp_path_factory.mktemp("one")
    write_sweeps(folder, sessions=1, place="table")
    out = folder / "one.profile"
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(out)]) == 0
    return folder, out


@pytest.fixture(name="run")
def wizard_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Plays the wizard on a mock stream with these answers, `q` when they end; returns what it asked."""
    monkeypatch.setattr(calibrate_record, "opener", unhurried)

    def run(*answers: str, **words: Any) -> list[str]:
        given, asked = iter(answers), []

        def ask(question: Question) -> str:
            asked.append(str(question))
            answer = next(given, "q")
            if answer in (INTERRUPT, ENDED):
                raise KeyboardInterrupt if answer == INTERRUPT else EOFError
            return answer

        words = {"device": "D", "player": "anna", "session": None, "counts": (3, 6), "sweeps": 1} | words
        calibrate_record.record(
            tmp_path / "mine", "mock", words.pop("way", SHAKEN), seconds=2.0, as_json=False, ask=ask, **words
        )
        return asked

    return run
