"""Profiles on disk: whole or refused, never executed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sensors.ear import profile as profiles
from sensors.ear.errors import ProfileError
from sensors.ear.profile_json import body_of, profile_of
from tests.parts import proof
from tests.sensors.test_ear_listener import rattle_profile


def test_a_profile_comes_back_as_it_was(tmp_path: Path) -> None:
    saved = profiles.save(rattle_profile(), tmp_path / "mine.profile")
    loaded = profiles.load(tmp_path / "mine.profile")
    assert loaded.digest == saved.digest
    assert loaded.counts == tuple(range(2, 14))
    values = np.random.default_rng(0).standard_normal((5, len(loaded.heads[0].model.names)))
    np.testing.assert_allclose(
        loaded.heads[0].model.log_likelihood(values),
        rattle_profile().heads[0].model.log_likelihood(values),
        rtol=1e-3,
    )
    again = profiles.save(loaded, tmp_path / "again.profile")
    assert again.digest == saved.digest


def test_hands_that_were_heard_come_back_and_too_many_are_refused(tmp_path: Path) -> None:
    shipped = profiles.load_shipped("accelerometer")
    head = shipped.heads[0]
    populations = head.model.populations
    assert populations is not None
    random = np.random.default_rng(3)
    z = random.standard_normal((24, len(head.model.names)))
    beads, people = np.tile(np.arange(2, 14), 2), np.repeat([0, 1], 12)
    model = replace(head.model, populations=populations.adapted(z, beads, people, people))
    mine = replace(shipped, heads=(replace(head, model=model),))
    profiles.save(mine, tmp_path / "mine.profile")
    loaded = profiles.load(tmp_path / "mine.profile").heads[0].model
    assert loaded.populations is not None
    assert {len(m.hands) for m in loaded.populations.members} == {2}
    asked = random.standard_normal((5, len(head.model.names)))
    np.testing.assert_allclose(loaded.log_likelihood(asked), model.log_likelihood(asked), atol=0.05)
    body = body_of(mine)
    for member in body["heads"][0]["model"]["populations"]["members"]:
        member["hands"] = 5 * member["hands"]
    with pytest.raises(ValueError, match="hands"):
        profile_of(body, "")


def test_no_byte_can_be_lost_or_changed_unnoticed(tmp_path: Path) -> None:
    path = tmp_path / "mine.profile"
    profiles.save(rattle_profile(), path)
    whole = path.read_bytes()
    random = np.random.default_rng(1)
    for _ in range(proof(20, 500)):
        at = int(random.integers(0, len(whole) - 1))
        broken = tmp_path / "broken.profile"
        broken.write_bytes(whole[:at])
        with pytest.raises(ProfileError, match="PT-401"):
            profiles.load(broken)
        changed = bytearray(whole)
        changed[at] ^= 1 << int(random.integers(0, 7))
        if json.dumps(_tolerant(bytes(changed))) == json.dumps(_tolerant(whole)):
            continue  # a change that means the same, such as another blank
        broken.write_bytes(changed)
        with pytest.raises(ProfileError, match="PT-401"):
            profiles.load(broken)


def _tolerant(raw: bytes) -> object:
    try:
        return json.loads(raw)
    except ValueError:
        return None


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "null", '{"format":"polartable-ear-profile"}',
     '{"format":"polartable-ear-profile","version":1,"body":{}}', "cos\nsystem\n(S'true'\ntR.", "[" * 100000],
)  # fmt: skip
def test_foreign_files_are_refused_in_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "foreign.profile"
    path.write_text(text)
    with pytest.raises(ProfileError) as refused:
        profiles.load(path)
    assert "\n" not in str(refused.value)


def test_a_missing_profile_and_a_binary_one(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="cannot be read"):
        profiles.load(tmp_path / "nowhere.profile")
    (tmp_path / "binary.profile").write_bytes(bytes(range(256)))
    with pytest.raises(ProfileError, match="is no profile"):
        profiles.load(tmp_path / "binary.profile")


@pytest.mark.parametrize("kind", ["microphone", "accelerometer", "contact"])
def test_the_shipped_profiles_load_and_were_fitted_on_simulation_alone(kind: str) -> None:
    shipped = profiles.load_shipped(kind)
    assert shipped.counts == tuple(range(2, 14))
    assert shipped.fitted_on["note"] == "simulated shakes only; real igloos were not at hand"
    assert shipped.accuracy["left_out_by"] == "device"
    assert shipped.fixed == (kind != "microphone")
