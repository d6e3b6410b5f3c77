"""The memory that keeps figures honest is looked at where a profile is read: nothing in it is taken for nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sensors.ear.errors import ProfileError
from sensors.ear.profiles import profile as profiles
from sensors.ear.profiles import profile_file
from sensors.ear.profiles.fitted_on import FittedOn, Memory, WeighedOn
from sensors.gesture import profile as gestures
from tests.knowing import knowing, weighing
from tests.rattle_profile import rattle_profile

EVERYTHING = {
    "takes": 24, "sessions": 2, "devices": 1, "players": 1, "unnamed": ["player"], "beads": [2, 13],
    "for_others": False, "note": "a rainy day", "gesture": None, "fingerprints": "0123456789abcdef",
    "loudest": "89abcdef", "moments": [[1795197600.0, 2], [1795197637, 13]], "sittings": ["01234567"],
    "sittings_of_one": [], "started_from": ["sha256:a", None], "asked_start": "nothing", "weather": {"fog": [1, None]},
}  # fmt: skip
OF_A_SEAT = {
    "takes": 24, "taps": 72, "devices": 1, "sessions": 2, "beads": [2, 13], "note": None,
    "fingerprints": "01234567", "weighed_by": ["89abcdef"], "sittings": ["01234567"], "weather": "fog",
}  # fmt: skip
ALWAYS: dict[type[Memory], set[str]] = {
    FittedOn: {"takes", "sessions", "devices", "players", "note", "gesture"},
    WeighedOn: {"takes", "taps", "devices", "note"},
}


@pytest.mark.parametrize(("kind", "told"), [(FittedOn, EVERYTHING), (WeighedOn, OF_A_SEAT)])
def test_what_is_read_is_written_again(kind: type[Memory], told: dict[str, Any]) -> None:
    """To the letter, with the keys of others; and what an older profile does not say stays unsaid."""
    assert json.dumps(kind.read(told).to_json()) == json.dumps(told, sort_keys=True)
    assert dict(kind.read(told).more) == {"weather": told["weather"]}
    for key in set(told) - ALWAYS[kind]:
        older = {k: v for k, v in told.items() if k != key}
        assert kind.read(older).to_json() == dict(sorted(older.items()))
        assert getattr(kind.read(older), key, None) is None


@pytest.mark.parametrize("kind", list(profiles.SHIPPED))
def test_those_that_ship_say_what_stands_in_their_files(kind: str) -> None:
    file = Path(profiles.__file__).parents[2] / "profiles" / profiles.SHIPPED[kind]
    told = json.loads(file.read_text("utf-8"))["body"]["fitted_on"]
    assert profiles.load_shipped(kind).fitted_on.to_json() == told


WRONG = [
    ("takes", True, "a whole number"), ("takes", 24.0, "a whole number"), ("devices", "1", "a whole number"),
    ("sessions", None, "a whole number"), ("players", [1], "a whole number"),
    ("unnamed", None, "a list of texts"), ("unnamed", "player", "a list of texts"),
    ("beads", [2, True], "a list of whole numbers"), ("for_others", "no", "true or false"),
    ("note", 7, "a text, or null"), ("gesture", "knock\x1b[2J", "a line of text, or null"),
    ("gesture", ["knock"], "a line of text, or null"), ("fingerprints", ["01234567"], "a text"),
    ("loudest", None, "a text"), ("moments", {}, "a list of pairs of numbers"),
    ("moments", [[1]], "a list of pairs of numbers"), ("moments", [["a", "b"]], "a list of pairs of numbers"),
    ("moments", [[1.0, 2, 3]], "a list of pairs of numbers"), ("moments", [7], "a list of pairs of numbers"),
    ("moments", [[1.0, True]], "a list of pairs of numbers"), ("sittings", 5, "a list of texts"),
    ("sittings", "00000000", "a list of texts"), ("sittings", {"a": 1}, "a list of texts"),
    ("sittings_of_one", [7], "a list of texts"), ("started_from", 7, "a text, or a list of them"),
    ("asked_start", None, "a text"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value", "wanted"), WRONG)
def test_what_is_of_another_kind_is_refused_in_one_sentence_that_names_it(
    key: str, value: object, wanted: str, tmp_path: Path
) -> None:
    """As it would else read as `knows nothing`, and figures on its own takes flatter."""
    mine = profiles.save(
        replace(rattle_profile(), fitted_on=FittedOn.read(EVERYTHING)), tmp_path / "mine.profile"
    )
    body = profiles.body_of(mine)
    body["fitted_on"][key] = value
    with pytest.raises(ProfileError) as error:
        profiles.parse(profile_file.wrap(profiles.FORMAT, profiles.VERSION, body), "mine.profile")
    assert str(error.value) == (
        f'PT-401: mine.profile: "{key}" of what it was fitted on is not {wanted} – fit it again on its recordings: '
        "`polartable calibrate igloos fit`"
    )


@pytest.mark.parametrize("key", ["takes", "sessions", "devices", "players"])
def test_what_every_profile_says_is_missed(key: str) -> None:
    told = {k: v for k, v in EVERYTHING.items() if k != key}
    with pytest.raises(ProfileError, match=f'was fitted on does not say "{key}", a whole number'):
        FittedOn.read(told)


@pytest.mark.parametrize("value", [None, 7, [], "takes"])
def test_what_is_no_object_says_nothing(value: object) -> None:
    with pytest.raises(ProfileError, match="what it was fitted on is no object"):
        FittedOn.read(value)


def test_numbers_without_end_are_none() -> None:
    """JSON has none; but whole numbers of any length."""
    for moment in ([1.0, float("inf")], [float("nan"), 3], [10**400, 3]):
        with pytest.raises(ProfileError, match="moments"):
            FittedOn.read(knowing().to_json() | {"moments": [moment]})


def test_a_seats_profile_is_looked_at_as_well(tmp_path: Path) -> None:
    path = tmp_path / "seat.profile"
    known = weighing(weighed_by=("89abcdef",), more={"weather": "fog"})
    saved = gestures.save(gestures.GestureProfile("microphone", (2, 5), {}, 1.0, known, {}), path)
    assert gestures.load(path).fitted_on == known
    for wrong in ({"weighed_by": "89abcdef"}, {"taps": None}):
        body = gestures._body(saved)
        body["fitted_on"] |= wrong
        text = profile_file.wrap(gestures.FORMAT, gestures.VERSION, body)
        with pytest.raises(ProfileError, match=f'"{next(iter(wrong))}" of what it was fitted on is not'):
            gestures.parse(text, "seat.profile")
