"""`polartable cubes` and `calibrate cubes` asked for what cannot be: told at once, in words, nothing opened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.table.test_cubes_command import lines, run


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("cubes", "mock", "--baud", "12345678901234"), "--baud"),
        (("cubes", "mock", "--seed", "-1"), "--seed"),
        (("cubes", *(f"/dev/null{i}" for i in range(5))), "5 ports, but four cubes"),
        (("calibrate", "cubes"), "no port"),
    ],
    ids=lambda x: " ".join(x)[:30],
)
def test_what_cannot_be_is_refused_before_anything_is_opened(words: tuple[str, ...], why: str) -> None:
    refused = run(*words)
    assert refused.returncode == 2
    assert why in refused.stderr


def test_what_was_taught_is_shown_without_any_port(tmp_path: Path) -> None:
    out = tmp_path / "cubes.json"
    cube = {"cube": "A", "slot": "NW", "mount": [1.0, 0.0, 0.0, 0.0], "port": "p", "node": 1, "uid": "aa"}
    cube |= {"off_deg": 1.0}
    out.write_text(json.dumps({"format": "polartable-cubes-1", "cubes": [cube]}))
    done = run("calibrate", "cubes", "--show", "--json", "--out", str(out))
    assert (done.returncode, lines(done.stdout)) == (0, [cube])
    none = run("calibrate", "cubes", "--show", "--out", str(tmp_path / "none.json"))
    assert none.returncode == 0
    assert "no cube was taught yet" in none.stdout
