"""Keys of a list that nearly are those that mean something."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.cli import run
from tests.calibration.folders import Capture, evaluate, rewritten


@pytest.mark.parametrize(
    ("right", "wrong"), [("player", "Player"), ("session", "sesion"), ("igloo", "igloo "), ("taken", "TAKEN")]
)
def test_a_key_that_is_nearly_one_of_ours_is_told(
    two_to_five: Path, tmp_path: Path, capsys: Capture, right: str, wrong: str
) -> None:
    folder = rewritten(
        two_to_five,
        tmp_path / "some",
        lambda i, line: (
            {key: value for key, value in line.items() if key != right}
            | ({wrong: line.get(right, "x")} if i < 2 else {right: line.get(right, "x")})
        ),
    )
    _, said = evaluate(folder, capsys, "--profile", "microphone")
    assert (
        f'2 of 12 recordings have the key "{wrong}", which says nothing here: if "{right}" is meant, write it so in '
        "recordings.jsonl"
    ) in said


SLIP = 'have the key "{}", which says nothing here: if "{}" is meant, write it so in recordings.jsonl'


def misspelt(folder: Path, new: Path, **keys: str) -> Path:
    return rewritten(folder, new, lambda i, line: {keys.get(key, key): value for key, value in line.items()})


@pytest.mark.parametrize(
    "how",
    [
        ("fit", "--out", "p.profile"),
        ("evaluate", "--leave-out", "session"),
        ("fit", "--out", "p.profile", "--only", "session=s1"),
    ],
)
def test_all_of_such_keys_are_told_also_where_the_list_is_refused_for_lack_of_them(
    two_to_five: Path, tmp_path: Path, capsys: Capture, how: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = misspelt(two_to_five, tmp_path / "some", beads="bead", session="sesion")
    monkeypatch.chdir(tmp_path)
    assert run(["calibrate", "igloos", how[0], str(folder), *how[1:]]) == 2
    *hints, refusal = capsys.readouterr().err.splitlines()
    assert hints == [
        f"polartable: 12 of 12 recordings {SLIP.format(*slip)}"
        for slip in (("bead", "beads"), ("sesion", "session"))
    ]
    assert refusal.startswith("polartable: PT-")


def test_such_keys_are_told_where_a_folder_is_listened_to(
    two_to_five: Path, tmp_path: Path, capsys: Capture
) -> None:
    folder = rewritten(
        two_to_five, tmp_path / "some", lambda i, line: line | ({"rejeted": "cough"} if i < 2 else {})
    )
    assert run(["listen", str(folder)]) == 0
    assert capsys.readouterr().err == f"polartable: 2 of 12 recordings {SLIP.format('rejeted', 'rejected')}\n"


def test_keys_of_others_are_no_slips(two_to_five: Path, tmp_path: Path, capsys: Capture) -> None:
    more = {
        "weather": "rain",
        "order": 3,
        "counts": [2],
        "source": "x",
        "boot": "b",
        "up": 1.0,
        "strength": 1.0,
    }
    more |= {
        "simulated": True,
        "strength_g": 1.2,
        "hits": [1, 2],
        "Player": "too",
        "fault": "gaps",
        "mistake": "soft",
    }
    folder = rewritten(two_to_five, tmp_path / "some", lambda i, line: line | more)
    _, said = evaluate(folder, capsys, "--profile", "microphone")
    assert "says nothing here" not in said
