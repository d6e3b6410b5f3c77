"""What a profile holds is checked when it is read: contents that no fit makes are refused in one sentence."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sensors.ear.errors import ProfileError
from sensors.ear.profiles import profile as profiles
from sensors.ear.profiles import profile_file
from sensors.ear.profiles.profile_json import body_of


@cache
def shipped_text() -> str:
    """The body of a profile with all that one may hold: two heads, a population, a reading, a judge of sets."""
    body = body_of(profiles.load_shipped("accelerometer"))
    for head in body["heads"]:
        del head["model"]["populations"]["members"][1:]
    return json.dumps(body)


def parsed(body: dict[str, Any]) -> profiles.Profile:
    return profiles.parse(profile_file.wrap(profiles.FORMAT, profiles.VERSION, body), "evil.profile")


def refused(body: dict[str, Any]) -> None:
    with pytest.raises(
        ProfileError, match=r"^PT-401: evil.profile is damaged: \w+ in its contents – "
    ) as error:
        parsed(body)
    assert "\n" not in str(error.value)


def told_apart(*counts: object, read: bool = False) -> dict[str, Any]:
    """The body with other counts; `read`: by the network as well, which knows but few."""
    body: dict[str, Any] = json.loads(shipped_text())
    body["counts"] = list(counts)
    for head in body["heads"]:
        head["model"]["counts"] = list(counts)
        if not read:
            head["model"]["reading"] = None
    return body


HEAD, MODEL = "heads.0.", "heads.0.model."
MEMBER = MODEL + "populations.members.0."
UNUSUAL: dict[str, Any] = {"names": [], "median": [], "spread": [], "limit": 6.0}


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("heads", []), ("sensor", "microphone"), ("sensor", "nose"), ("rate", "nan"), ("rate", "inf"),
        ("rate", 1e308),
        ("counts", [2, 3]), ("heads.1.model.counts", [2, 3]),
        (HEAD + "front", "x" * 300), (HEAD + "front", "\0"), (HEAD + "front", "../nets/accelerometer-1600"),
        (HEAD + "front", ["accelerometer-1600"]),
        (HEAD + "strength", ["nan", 0.6, 1.7]), (HEAD + "strength", [-0.3, 0.6, "inf"]),
        (HEAD + "strength", [-0.3, 0.6, 1e6]), (HEAD + "strength", [-1e6, 0.6, 1.7]),
        (HEAD + "strength", [1.7, 0.6, -0.3]), (HEAD + "strength", [0.6, 1.7]),
        (HEAD + "sure_from", 0), (HEAD + "sure_from", "nan"), (HEAD + "strange_from", -1),
        (HEAD + "strange_from", 0), (HEAD + "strange_from", "nan"), (HEAD + "strange_from", "inf"),
        (HEAD + "usual.limit", 0), (HEAD + "usual.limit", -6), (HEAD + "usual.limit", 100),
        (HEAD + "usual.limit", "nan"), (HEAD + "usual", UNUSUAL), (HEAD + "usual.spread.0", 0),
        (HEAD + "floor", [0, 0, 2]), (HEAD + "floor", [0, 0, 0]), (HEAD + "floor", ["nan", 0, 1]),
        (HEAD + "floor", [0, 1]),
        (HEAD + "relative.spread.3", 0), (HEAD + "relative.spread.3", -1), (HEAD + "relative.sigma", 0),
        (HEAD + "relative.experts.0.intercept", "nan"), (HEAD + "relative.shares", [1.0]),
        (MODEL + "offset", "nan"), (MODEL + "offset", "-inf"), (MODEL + "slope", 0), (MODEL + "slope", 100),
        (MODEL + "sigma", 0), (MODEL + "lean", 1.5), (MODEL + "lean", "nan"), (MODEL + "reading.weight", -1),
        (MODEL + "spread.0", 0), (MODEL + "spread.0", -1), (MODEL + "spread.0", "nan"), (MODEL + "shares", [1.0]),
        (MODEL + "experts.0.intercept", "nan"), (MODEL + "experts.0.slopes.0", "nan"),
        (MODEL + "experts.0.intercept", -1e308), (MODEL + "experts.0.slopes.0", 1e308),
        (MODEL + "experts.0.columns.0", -1), (MODEL + "experts.0.columns.0", 10**6),
        (MODEL + "populations.temper", 0), (MODEL + "populations.members", []),
        (MEMBER + "weight", "nan"), (MEMBER + "weight", 1e308), (MEMBER + "takes.0", -1000),
        (MEMBER + "occasions.0", -1000), (MEMBER + "devices.0", -1000),
    ],
)  # fmt: skip
def test_contents_that_no_fit_makes_are_refused_in_one_sentence(place: str, value: object) -> None:
    body: Any = json.loads(shipped_text())
    *inside, last = (int(key) if key.isdigit() else key for key in place.split("."))
    of = body
    for key in inside:
        of = of[key]
    of[last] = value
    refused(body)


def test_what_could_not_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(ProfileError, match="cannot be written"):
        profile_file.write(tmp_path / "taken", "{}")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


@pytest.mark.parametrize("name", ["takes", "occasions", "devices"])
def test_a_covariance_is_the_same_both_ways(name: str) -> None:
    body: dict[str, Any] = json.loads(shipped_text())
    populations = body["heads"][0]["model"]["populations"]
    values = populations["members"][0][name]
    side = round(len(values) ** 0.5)
    values[1] += 1000
    values[side] -= 1000  # the mean of both is as it was
    refused(body)


@pytest.mark.parametrize(
    "counts",
    [(), (7,), (3, 2), (2, 2, 3), (0, 1, 2), (-1, 2, 3), (2, 1001), (10**30, 2), ("nan", 2), (None, 2)],
)
def test_counts_that_no_igloos_hold_are_refused(counts: tuple[object, ...]) -> None:
    refused(told_apart(*counts))


@pytest.mark.parametrize("counts", [(2, 3), (3, 5, 9), tuple(range(1, 21)), (20, 400, 1000)])
def test_any_two_counts_or_more_can_be_told_apart(counts: tuple[int, ...]) -> None:
    assert parsed(told_apart(*counts)).counts == counts


def test_a_network_is_not_asked_for_counts_that_it_never_learned() -> None:
    assert parsed(told_apart(2, 13, read=True)).counts == (2, 13)
    refused(told_apart(2, 1000, read=True))
