"""An igloo that holds more or fewer beads than a profile knows is doubted, not surely taken for its last count."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.recordings.folder import read
from calibration.takes.features import rows
from sensors.ear.listener import Listener
from sensors.ear.profiles import profile as profiles
from sensors.ear.profiles.profile import Profile
from sensors.ear.verdicts.beyond import CLEARLY_BEYOND, LIKELIER_BEYOND, beyond
from sensors.ear.verdicts.verdict import judge
from sensors.evidence import Heard
from table.cli import run
from tests.rattle import RATE, rattle, write_sweeps

Capture = pytest.CaptureFixture[str]
WORDS = {True: "it sounds like more beads than 5", False: "it sounds like fewer beads than 9"}


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Profile]:
    """Of 2–5 beads, which know no more (True); of 9–13, which know no fewer (False)."""
    out = {}
    for more, counts in ((True, range(2, 6)), (False, range(9, 14))):
        folder = tmp_path_factory.mktemp("few")
        write_sweeps(folder, sessions=3, counts=tuple(counts), seconds=1.6)
        assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(folder / "x.profile")]) == 0
        out[more] = profiles.load(folder / "x.profile")
    return out


def heard(profile: Profile, beads: int) -> Heard:
    quiet = np.zeros(RATE, np.float32)
    sound = np.concatenate([quiet, rattle(beads, 50 + beads), quiet])[:, None]
    noise = 1e-4 * np.random.default_rng(1).standard_normal(sound.shape).astype(np.float32)
    ear = Listener(profile, RATE, 1, "x")
    said = [one for one in [*ear.push(sound + noise), *ear.finish()] if isinstance(one, Heard)]
    assert len(said) == 1
    return said[0]


@pytest.mark.parametrize(("more", "beads"), [(True, 12), (True, 13), (False, 2), (False, 3)])
def test_what_lies_beyond_a_profile_is_told(few: dict[bool, Profile], more: bool, beads: int) -> None:
    said = heard(few[more], beads)
    assert (said.verdict, said.doubt) == ("unsure", "strange")
    assert (said.reason or "").startswith(WORDS[more])
    assert sum(said.probabilities.values()) == pytest.approx(1)  # over the counts of the profile, as ever


@pytest.mark.parametrize(("more", "beads"), [(True, 2), (True, 3), (False, 12), (False, 13)])
def test_what_a_profile_knows_is_not_doubted_for_that(
    few: dict[bool, Profile], more: bool, beads: int
) -> None:
    assert "it sounds like" not in (heard(few[more], beads).reason or "")


def test_one_that_would_be_sure_is_doubted_sooner(few: dict[bool, Profile], tmp_path: Path) -> None:
    """With a profile that is sure of anything, what hangs on the doubt alone."""
    write_sweeps(tmp_path, sessions=4, counts=(3, 6, 8), seconds=1.6)
    heads, complaints = tuple(replace(head, sure_from=0.0) for head in few[True].heads), list[object]()
    less_sure = tuple(replace(head, sure_from=1.1) for head in heads)
    recordings = read(tmp_path, complaints.append)
    shakes = [
        of_one[0].shake for of_one in rows(recordings, complaints.append, [head.front for head in heads])
    ]
    seen = set()
    for shake in shakes:
        fewer, more = beyond(heads, shake)
        assert fewer == 0
        # one that is not sure in any case says what it could be, unless it is clearly none of these
        seen.add((more > LIKELIER_BEYOND, more > CLEARLY_BEYOND))
        assert (judge(heads[0], shake, 40.0, False, heads=heads).verdict == "sure") is (
            more <= LIKELIER_BEYOND
        )
        said = judge(less_sure[0], shake, 40.0, False, heads=less_sure)
        assert (said.reason or "").startswith(WORDS[True] if more > CLEARLY_BEYOND else "it could be")
    assert seen == {(False, False), (True, False), (True, True)}
    whole = [replace(head, model=replace(head.model, counts=tuple(range(2, 14)))) for head in heads]
    assert beyond(whole, shakes[0]) == (0.0, 0.0)


def test_evaluate_doubts_as_listen_does(few: dict[bool, Profile], tmp_path: Path, capsys: Capture) -> None:
    profiles.save(few[True], tmp_path / "few.profile")
    write_sweeps(tmp_path, sessions=1, counts=(3, 13), seconds=1.6)
    evaluate = ["calibrate", "igloos", "evaluate", str(tmp_path), "--profile", str(tmp_path / "few.profile")]
    assert run([*evaluate, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    reasons = {line["true_beads"]: str(line.get("reason")) for line in lines if "true_beads" in line}
    assert reasons[13].startswith(WORDS[True])
    assert "it sounds like" not in reasons[3]
