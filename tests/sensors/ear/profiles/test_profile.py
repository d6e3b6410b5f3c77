"""Profiles on disk: whole or refused, never executed."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from sensors.ear.errors import ProfileError
from sensors.ear.models.model import Weights
from sensors.ear.models.population import MOST_HANDS
from sensors.ear.profiles import profile as profiles
from sensors.ear.profiles import profile_file
from sensors.ear.profiles.population_json import _covariance
from sensors.ear.profiles.profile_json import body_of, profile_of
from tests.parts import proof
from tests.rattle_profile import rattle_profile


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


def test_every_part_of_a_head_comes_back(tmp_path: Path) -> None:
    shipped = profiles.load_shipped("accelerometer")
    model = replace(shipped.heads[0].model, populations=None, for_strangers=Weights(0.3, 0.6), lean=0.37)
    own = replace(
        shipped.heads[0], model=model, sure_from=0.91, strength_low=-0.5, strength_middle=0.25, strength_high=1.5,
        floor=(0.6, 0.0, -0.8), strange_from=4.5,
    )  # fmt: skip
    mine = replace(shipped, heads=(own,), fixed=not shipped.fixed)
    saved = profiles.save(mine, tmp_path / "mine.profile")
    back = profiles.load(tmp_path / "mine.profile")
    assert body_of(back) == body_of(mine)
    assert back.digest == saved.digest
    for name in (
        "front",
        "sure_from",
        "strength_low",
        "strength_middle",
        "strength_high",
        "floor",
        "strange_from",
    ):
        assert getattr(back.heads[0], name) == getattr(own, name)
    for name in ("names", "counts", "offset", "slope", "sigma", "lean", "for_strangers"):
        assert getattr(back.heads[0].model, name) == getattr(model, name)
    for name in ("sensor", "rate", "fixed", "counts", "fitted_on", "accuracy"):
        assert getattr(back, name) == getattr(mine, name)
    body = body_of(mine)
    body["heads"][0]["strength"] = [0.5, 0.5, 0.5]  # all takes alike
    assert profile_of(body, "").heads[0].strength_high == 0.5
    for broken in (
        body | {"fitted_on": body["fitted_on"] | {"takes": True}},
        body | {"fitted_on": body["fitted_on"] | {"gesture": "knock\x1b[2J"}},
        body | {"counts": [2, 3]},
        body | {"heads": []},
        body | {"sensor": "microphone"},
    ):
        with pytest.raises(ValueError, match=r"."):
            profile_of(broken, "")


def test_a_covariance_is_one_again_however_it_was_rounded() -> None:
    flat = np.outer([1.0, 2.0, -1.0], [1.0, 2.0, -1.0])  # of one direction only
    for rounded in (flat, flat - 1e-3 * np.eye(3), flat + np.triu(np.full((3, 3), 1e-3), 1)):
        read = _covariance(rounded)
        assert np.array_equal(read, read.T) or np.abs(read - read.T).max() < 1e-12
        assert np.linalg.eigvalsh(read).min() > 0
        np.testing.assert_allclose(read, flat, atol=2e-3)
    for broken in (flat - 0.2 * np.eye(3), flat + np.triu(np.full((3, 3), 0.2), 1)):
        with pytest.raises(ValueError, match="covariance"):
            _covariance(broken)


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
    members = body["heads"][0]["model"]["populations"]["members"]
    for member in members:
        member["hands"] = MOST_HANDS // 2 * member["hands"]
    read = profile_of(body, "").heads[0].model.populations
    assert read is not None
    assert {len(m.hands) for m in read.members} == {MOST_HANDS}
    for member in members:
        member["hands"].append(member["hands"][0])
    with pytest.raises(ValueError, match="hands"):
        profile_of(body, "")


def test_a_profile_that_was_written_in_another_order_is_the_same(tmp_path: Path) -> None:
    """Its hash is over what it says, not over how the file is laid out."""
    path = tmp_path / "mine.profile"
    mine = profiles.save(rattle_profile(), path)
    whole = json.loads(path.read_text())
    for written in (
        json.dumps(whole, indent=1),
        json.dumps(dict(reversed(whole.items()))),
        json.dumps(whole | {"body": dict(reversed(whole["body"].items()))}, separators=(",", ":")),
    ):
        path.write_text(written)
        assert profiles.load(path).digest == mine.digest
    path.write_text(json.dumps(whole | {"body": whole["body"] | {"rate": 1.0}}, separators=(",", ":")))
    with pytest.raises(ProfileError, match="do not match its hash"):
        profiles.load(path)


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


def test_a_changed_byte_that_is_no_text_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "mine.profile"
    profiles.save(rattle_profile(), path)
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 0x80
    path.write_bytes(whole)
    with pytest.raises(ProfileError, match=r"is damaged: it holds bytes that are no text – fit it again"):
        profiles.load(path)


def test_a_profile_that_may_not_be_read_speaks_of_permissions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.profile"
    profiles.save(rattle_profile(), path)

    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)  # whoever is root may read everything
    with pytest.raises(ProfileError, match=r"cannot be read \(Permission denied\) – check its permissions"):
        profiles.load(path)


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")  # nobody will ever write into it
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(ProfileError, match="is no file"):
            profiles.load(path)


def test_a_file_that_is_too_large_is_refused_whatever_size_it_says_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.profile"
    profiles.save(rattle_profile(), path)
    size = path.stat().st_size
    monkeypatch.setattr(profile_file, "LARGEST", size)
    profiles.load(path)
    monkeypatch.setattr(profile_file, "LARGEST", size - 1)
    with pytest.raises(ProfileError, match="is far too large"):
        profiles.load(path)
    kernels = Path("/proc/self/status")
    assert kernels.stat().st_size == 0  # it says
    monkeypatch.setattr(profile_file, "LARGEST", 10)
    with pytest.raises(ProfileError, match="is far too large"):
        profiles.load(kernels)


@pytest.mark.parametrize("kind", ["microphone", "accelerometer", "contact"])
def test_the_shipped_profiles_load_and_were_fitted_on_simulation_alone(kind: str) -> None:
    shipped = profiles.load_shipped(kind)
    assert shipped.counts == tuple(range(2, 14))
    assert shipped.fitted_on.note == "simulated shakes only; real igloos were not at hand"
    assert shipped.accuracy["left_out_by"] == "device"
    assert shipped.fixed == (kind != "microphone")


def test_a_shipped_profile_that_is_gone_or_damaged_is_mended_by_no_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = resources.files("sensors").joinpath("profiles", "contact.profile").read_bytes()
    for name, told, says in (
        ("cut.profile", whole[:1000], "is no profile, or only a part of one"),
        (
            "edited.profile",
            whole.replace(b"0.1", b"0.2", 9),
            "is damaged: its contents do not match its hash",
        ),
        ("bytes.profile", whole[:1000] + b"\xff", "cannot be read (it holds bytes that are no text)"),
        ("gone.profile", None, "cannot be read (No such file or directory)"),
    ):
        place = tmp_path / name
        if told is not None:
            place.write_bytes(told)
        monkeypatch.setitem(profiles.SHIPPED, "contact", str(place))
        with pytest.raises(ProfileError) as error:
            profiles.load_shipped.__wrapped__("contact")  # which may be known from before
        assert error.value.cause == f"of the profiles that ship, {place} {says}"
        assert error.value.mend.startswith("install Polartable again (")


def test_a_profile_that_lost_what_it_was_fitted_on_is_refused(tmp_path: Path) -> None:
    """Reports count it."""
    body = body_of(profiles.load_shipped("microphone"))
    for told in ({}, body["fitted_on"] | {"sessions": "4"}, body["fitted_on"] | {"unnamed": None}):
        with pytest.raises((KeyError, ValueError)):
            profile_of(body | {"fitted_on": told}, "")


def test_an_editor_s_mark_at_the_beginning_is_no_damage(tmp_path: Path) -> None:
    saved = profiles.save(rattle_profile(), tmp_path / "mine.profile")
    marked = tmp_path / "marked.profile"
    marked.write_bytes(b"\xef\xbb\xbf" + (tmp_path / "mine.profile").read_bytes())
    assert profiles.load(marked).digest == saved.digest
