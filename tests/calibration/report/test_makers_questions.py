"""What makers asked about their folders and pages: counts left over, sessions unnamed, where a test began."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.fitting.prior import automatic
from calibration.testing.curves import MOST_COUNTED, Point, by_length, by_number_of_shakes, point
from calibration.testing.evaluate import Tested as Answer
from sensors.ear.profiles.profile import load, load_shipped
from table.cli import run
from table.commands.igloo_figures import starts_of
from table.commands.record_source import opener
from tests.calibration.testing.told_takes import Take, several
from tests.knowing import knowing
from tests.rattle import write_sweeps

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("few")
    write_sweeps(folder, counts=(1, 3, 5, 7, 20), place="table")
    return folder


def test_counts_that_are_not_told_apart_are_told(few: Path, tmp_path: Path, capsys: Capture) -> None:
    own = tmp_path / "own.profile"
    fit = ["calibrate", "igloos", "fit", str(few), "--out", str(own), "--start-from", "nothing"]
    assert run(fit) == 0
    said = capsys.readouterr().err
    assert "6 recordings of 1 or 20 beads are learned from, but neither told apart" in said
    assert "--counts 1-20" in said
    assert (
        run(["calibrate", "igloos", "evaluate", str(few), "--profile", str(own), "--only", "session=s0"]) == 0
    )
    assert "not tested: the profile tells 3, 5 or 7 apart" in capsys.readouterr().err


def test_the_report_begins_its_tests_where_the_fit_began(few: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.profile"
    fit = ["calibrate", "igloos", "fit", str(few), "--out", str(own)]
    assert run([*fit, "--start-from", "nothing"]) == 0
    starts, elsewhere = starts_of(load(own))
    assert (starts([]), elsewhere) == ((None,), None)
    assert run([*fit, "--start-from", "microphone"]) == 0
    (start,) = starts_of(load(own))[0]([])
    assert start is not None
    assert start.digest == load_shipped("microphone").digest
    assert run(fit) == 0
    assert starts_of(load(own)) == (automatic, None)
    foreign = replace(load(own), fitted_on=knowing(asked_start="sha256:of-somebody"))
    assert "--start-from" in (starts_of(foreign)[1] or "")


def test_no_session_named_is_not_one_session(few: Path, tmp_path: Path, capsys: Capture) -> None:
    lines = [json.loads(line) for line in (few / "recordings.jsonl").read_text().splitlines()]
    bare = [{key: line[key] for key in ("file", "sensor", "place", "beads")} for line in lines]
    folder = tmp_path / "bare"
    folder.mkdir()
    for line in bare:
        original = few / line["file"]
        line["file"] = line["file"].replace("/", "-")
        (folder / line["file"]).symlink_to(original)
    (folder / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in bare))
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(tmp_path / "own.profile")]) == 0
    assert "no line names its session" in capsys.readouterr().out
    of = ["calibrate", "igloos", "evaluate", str(folder), "--profile", "microphone"]
    assert run(of) == 0
    out = capsys.readouterr().out
    assert "9 recordings, which name no session\n" in out
    assert "exact (of nobody knows how many sessions), " in out
    assert "session, which" not in out
    page = tmp_path / "page.html"
    assert run([*of[:2], "report", *of[3:], "--out", str(page)]) == 0
    text = page.read_text()
    assert "of one session" not in text
    assert "Nobody knows how many sessions these are of, so there are no intervals." in text


def test_the_wizard_does_not_record_a_recording(few: Path) -> None:
    with pytest.raises(Exception, match="recorded already"):
        opener(str(few), 2.0)


def test_a_curve_over_shakes_is_of_the_same_igloos() -> None:
    """Twice were shaken only those that are told; the others make no first point of another height."""
    twice = [Take(f"{n}-{i}", n, n) for n in range(2, 8) for i in range(2)]
    once = [Take(f"{n}-{who}", n, n + 1, who) for n in range(8, 14) for who in ("anna", "bela")]
    all_right = Point(1.0, 6, None)  # one session says nothing of another
    assert by_number_of_shakes(several(*twice, *once)) == {1: all_right, 2: all_right}
    again = [Take(f"{n}-0", n, n) for n in range(2, 8)] * 2
    assert by_number_of_shakes(several(*again)) == {1: all_right}  # a file that is listed twice
    two = [Take(f"{n}-{who}", n, n, who) for n in range(2, 8) for who in ("anna", "bela")]
    assert list(by_number_of_shakes(several(*two))) == [1]
    for take in two:  # nor what two sensors heard, wherever they are
        of = take.row.recording
        take.row.recording = replace(of, player="anna", more={"place": f"beside {of.player}"})
    assert list(by_number_of_shakes(several(*two))) == [1]
    assert by_number_of_shakes(several(*twice[:4])) == {}


@pytest.mark.parametrize("unnamed", ["igloo", "session", "player"])
def test_takes_of_nobody_knows_which_igloo_make_no_curve_over_shakes(unnamed: str) -> None:
    """Two of one count may be of two igloos, days or people."""
    takes = [Take(f"{n}-{i}", n, n) for n in range(2, 8) for i in range(2)]
    for take in takes:
        take.row.recording = replace(take.row.recording, **{unnamed: None})
    assert by_number_of_shakes(several(*takes)) == {}


def test_two_igloos_that_hold_as_many_are_two_on_the_curve() -> None:
    takes = [Take(f"{n}-{i}", n, n) for n in range(2, 8) for i in range(2)]
    for take in takes:
        take.row.recording = replace(take.row.recording, igloo=take.row.recording.file)
    assert by_number_of_shakes(several(*takes)) == {1: Point(1.0, 12, None)}


def test_a_curve_over_shakes_is_no_longer_than_half_of_the_igloos_have() -> None:
    """Six igloos that were shaken once more than all others do not stand for them."""
    most = [Take(f"{n}-{who}-{i}", n, n + 1, who) for who in "ab" for n in range(2, 14) for i in range(2)]
    more = [Take(f"{n}-a-2", n, n, "a") for n in range(2, 8)]
    told = by_number_of_shakes(several(*most, *more))
    assert {k: at.n for k, at in told.items()} == {1: 24, 2: 24}
    half = [Take(f"{n}-b-2", n, n, "b") for n in range(2, 8)]
    assert {k: at.n for k, at in by_number_of_shakes(several(*most, *more, *half)).items()} == {
        1: 12,
        2: 12,
        3: 12,
    }


def test_what_was_heard_badly_counts_on_the_curve_as_it_does_at_the_table() -> None:
    takes = [Take(f"{n}-{i}", n, n + i) for n in range(2, 9) for i in range(2)]
    for take in takes:
        if take.best != take.row.recording.beads:
            take.probabilities = {take.best - 1: 0.01, take.best: 0.99}
            take.heard = replace(take.heard, clipped=True)
    assert {k: at.share for k, at in by_number_of_shakes(several(*takes)).items()} == {1: 0.5, 2: 1.0}


def test_one_shake_of_the_curve_is_the_headline_and_nothing_is_left_to_chance() -> None:
    """The first of each igloo's three is told surely, the others are one bead too high, and less sure."""
    takes = [Take(f"{n}-{i}", n, n if i == 0 else n + 1) for n in range(2, 9) for i in range(3)]
    for take in takes:
        beads = take.row.recording.beads
        right = 0.95 if take.best == beads else 0.4
        take.probabilities = {beads: right, beads + 1: 1 - right}
    for seed in range(5):
        shares = {k: at.share for k, at in by_number_of_shakes(several(*takes), seed).items()}
        # alone one of three; two together where the sure one is of them; three together too
        assert shares == {1: pytest.approx(1 / 3), 2: pytest.approx(2 / 3), 3: 1.0}
    many = [Take(f"{n}-{i}", n, n + (i > 3)) for n in range(2, 9) for i in range(MOST_COUNTED + 2)]
    told = by_number_of_shakes(several(*many))
    # also of more shakes than can be counted
    assert told[1].share == pytest.approx(4 / (MOST_COUNTED + 2))
    assert list(told) == [1, 2, 3, 4, 5, 6]


def lasting(seconds: float, session: str, *best: int) -> dict[float, Answer]:
    """A take of three beads that lasts so long, and what was said of its first second, its first two, …"""
    lengths = [s for s in (1.0, 2.0, 3.0) if s <= seconds]
    said = several(*(Take("a", 3, n, session=session) for n in best))
    return dict(zip(lengths, said, strict=True))


def test_all_points_of_a_curve_over_length_are_of_the_same_takes() -> None:
    """Or it falls where the takes that last longest are those that are told worst."""
    long = [lasting(2, s, 4, 3) for s in ("one", "two", "two") for _ in range(2)]  # told by two seconds
    short = [lasting(1, "one", 3)] * 6
    longest = [lasting(3, "one", 4, 4, 4)] * 3
    told = by_length([*long, *short, {}, *longest])
    assert {s: (at.share, at.n) for s, at in told.items()} == {1.0: (0.0, 9), 2.0: (pytest.approx(6 / 9), 9)}
    assert by_length([*long[:5], *short[:5]]) == {}  # too few
    assert by_length(short) == {}  # a point is no curve
    silent = [{s: t for s, t in of_one.items() if s > 1} for of_one in long]  # no shake in the first second
    assert by_length([*silent, *longest]) == {}
    three = [lasting(3, "one", 4, 4, 3) for _ in range(20)]
    for of_one in three[:8]:
        del of_one[1.0]  # in which eight of twenty held nothing: of them alone no point is drawn
    assert {s: (at.share, at.n) for s, at in by_length(three).items()} == {2.0: (0.0, 20), 3.0: (1.0, 20)}
    fewer = [*[lasting(1, "one", 3)] * 10, lasting(2, "one", 3, 3), *[lasting(3, "one", 3, 3, 3)] * 9]
    assert {s: at.n for s, at in by_length(fewer).items()} == {
        1.0: 10,
        2.0: 10,
    }  # not half last three seconds


def test_sessions_that_share_shakes_tell_as_much_as_one_on_a_curve() -> None:
    takes = [Take(f"{n}-{i}", n, n, session=f"s{i}") for n in range(2, 9) for i in range(2)]
    one = by_number_of_shakes(several(*takes))
    assert {k: at.n for k, at in one.items()} == {1: 14}
    assert one[1].interval is not None
    for take in takes:
        take.sitting = "both"
    assert by_number_of_shakes(several(*takes)) == {1: Point(1.0, 14, None)}


def test_how_far_a_point_may_be_off_goes_by_sessions() -> None:
    one, other = [1.0] * 10, [0.0] * 10
    low, high = point([*one, *other], ["a"] * 10 + ["b"] * 10).interval or (0.5, 0.5)
    assert (low, high) == (0.0, 1.0)  # ten alike of each tell as much as one
    mixed = point([*one, *other], ["a", "b"] * 10).interval
    assert mixed is not None
    assert mixed == pytest.approx((0.3, 0.7), abs=0.01)  # and never less than so many takes are off by
    assert point(one, ["a"] * 10).interval is None
