"""Where a fit starts, and what becomes of starts that can hardly be told from one another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from calibration.fitting import prior
from calibration.fitting.fit import fit
from calibration.fitting.prior import AS_GOOD_NATS, fit_from, sounds_on_the_shell
from calibration.recordings import folder as store
from calibration.recordings.folder import Recording
from calibration.takes.features import Row, fronts_of, hear
from calibration.testing.evaluate import answer
from calibration.testing.gather import refusal
from hw_mock.igloo.device import Device
from hw_mock.igloo.hand import Player
from hw_mock.igloo.shake import simulate
from sensors.ear.errors import ProfileError
from sensors.ear.listener import Listener
from sensors.ear.profiles import profile as profiles
from sensors.ear.profiles.profile import Profile, load_shipped
from sensors.ear.verdicts.reasons import HANDLED
from sensors.evidence import Heard
from table.cli import run
from tests.rattle import RATE, rattle, write_sweeps

Rows = list[list[Row]]


@pytest.fixture(scope="module")
def sweeps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nobody says where the microphone was."""
    folder = tmp_path_factory.mktemp("sweeps")
    write_sweeps(folder)
    return folder


def test_starts_that_cannot_be_told_apart_all_count(heard: Rows, tmp_path: Path) -> None:
    alone = fit(heard).profile
    shipped = load_shipped("microphone")
    near = fit_from(heard, starts=(None, None))
    assert [head.front.name for head in near.heads] == ["microphone-44100"] * 2
    kept = profiles.save(near, tmp_path / "two.profile")
    read = profiles.load(tmp_path / "two.profile")
    assert read.digest == kept.digest
    assert len(read.heads_for("microphone", RATE)) == 2
    for row in heard[:5]:  # both say the same, so nobody is surer for it
        said, both = answer(alone, row).probabilities, answer(read, row).probabilities
        np.testing.assert_allclose(
            list(both.values()), list(said.values()), atol=0.01
        )  # profiles are written rounded
    started = fit(heard, start_from=shipped).profile
    away = float(alone.accuracy["log_score"]) - float(started.accuracy["log_score"])
    far = fit_from(heard, starts=(shipped, shipped, None))
    # rattles of this test are like no igloo, so standing alone is better by far, and it alone counts
    assert away > 2 * AS_GOOD_NATS
    assert len(far.heads) == 1
    assert far.fitted_on.started_from is None
    twice = fit_from(heard, starts=(shipped, shipped))
    # its figures, and from when it is sure, are of what both say together: no surer than one, for they are alike
    assert twice.accuracy["log_score"] == pytest.approx(started.accuracy["log_score"])
    assert twice.heads[0].sure_from == pytest.approx(started.heads[0].sure_from)
    doubting = replace(
        shipped, heads=tuple(replace(head, sure_from=0.9999) for head in shipped.heads), digest="doubts"
    )
    cautious = fit_from(heard, starts=(shipped, doubting))
    assert len(cautious.heads) == 2 * len(started.heads)
    assert cautious.heads[0].sure_from > max(0.999, started.heads[0].sure_from)
    assert twice.fitted_on.started_from == (shipped.digest,) * 2  # of each that counts
    assert far.accuracy["log_score"] == alone.accuracy["log_score"]


def test_live_two_heads_of_one_front_end_are_averaged(heard: Rows) -> None:
    alone, started = fit(heard).profile, fit(heard, start_from=load_shipped("microphone")).profile
    others = tuple(head for head in started.heads if head.front == alone.heads[0].front)
    both = replace(alone, heads=alone.heads + others)
    sound = np.concatenate([rattle(6, 0, 1.6), np.zeros(RATE, np.float32)])[:, None]
    told = []
    for profile in (alone, started, both):
        (said,) = [s for s in Listener(profile, RATE, 1, "test").push(sound) if isinstance(s, Heard)]
        told.append(np.array(list(said.probabilities.values())))
    average = np.sqrt(told[0] * told[1])
    np.testing.assert_allclose(told[2], average / average.sum(), atol=1e-3)
    assert np.abs(told[0] - told[1]).max() > 0.05


def test_a_microphone_is_heard_through_the_shells_front_end_where_it_may_sit_there(sweeps: Path) -> None:
    (one,) = [r for r in store.read(sweeps, lambda e: None) if r.file == "s0-02.wav"]
    both = ["microphone-44100", "contact-44100"]
    assert [f.name for f in fronts_of([one])] == both  # nobody says
    one.more["place"] = "shell"
    assert [f.name for f in fronts_of([one])] == both
    one.more["place"] = "table"
    assert [f.name for f in fronts_of([one])] == both[:1]


def test_nobody_says_how_a_microphone_sits(heard: Rows) -> None:
    both = [load_shipped("contact").heads[i].front.name for i in (0, 1)]
    assert all([row.front.name for row in of_one] == both for of_one in heard)
    # from a contact microphone's profile its two heads are taught, from others and from nothing one
    assert [h.front.name for h in fit(heard, start_from=load_shipped("contact")).profile.heads] == both
    assert [h.front.name for h in fit(heard, start_from=load_shipped("microphone")).profile.heads] == both[:1]
    assert [h.front.name for h in fit(heard).profile.heads] == both[:1]
    there = [
        [replace(row, recording=replace(row.recording, more={"place": "shell"})) for row in r] for r in heard
    ]
    fitted = fit(there).profile
    assert [h.front.name for h in fitted.heads] == both
    # its figures, and from when it is sure, are of what both say together
    assert fitted.accuracy["log_score"] not in {head["log_score"] for head in fitted.accuracy["heads"]}


def test_whoever_judges_goes_by_where_the_takes_seem_to_be_from(
    heard: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    takes, starts = heard[:12], tuple(map(load_shipped, ("microphone", "contact")))
    made = {start.digest: fit(takes, start_from=start) for start in starts}
    monkeypatch.setattr(prior, "fit", lambda rows, counts, unit, start_from: made[start_from.digest])
    for on_shell in (True, False):
        monkeypatch.setattr(prior, "sounds_on_the_shell", lambda rows, said=on_shell: said)
        judge = fit_from(takes, starts=starts)
        assert (judge.heads[0].on_shell, judge.fixed) == (on_shell, on_shell)
        assert judge.head_for("microphone", RATE) is judge.heads[0]
    assert (
        not fit_from(takes, starts=starts[:1]).heads[0].on_shell
    )  # of one kind it is, whatever it sounds like


def by_their_figures(
    takes: Rows, monkeypatch: pytest.MonkeyPatch, figures: list[tuple[Profile | None, float]]
) -> tuple[str | None, ...]:
    """The digests of the starts that count, the first one first, where fits from them told takes so well."""
    starts = tuple(start for start, _ in figures)
    made = [fit(takes, start_from=start) for start in starts]
    told = {
        id(start): replace(
            one, profile=replace(one.profile, accuracy=one.profile.accuracy | {"log_score": score})
        )
        for one, (start, score) in zip(made, figures, strict=True)
    }
    monkeypatch.setattr(prior, "fit", lambda rows, counts, unit, start_from: told[id(start_from)])
    monkeypatch.setattr(prior, "worth", lambda *_: None)  # the figures are taken as they are
    known = fit_from(takes, starts=starts).fitted_on.started_from
    return known if isinstance(known, tuple) else (known,)


def test_a_start_counts_beside_the_best_where_it_is_hardly_worse(
    heard: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = load_shipped("microphone"), replace(load_shipped("microphone"), digest="other")
    for worse, kept in ((0.1, (one.digest, "other")), (0.2, (one.digest,))):
        assert by_their_figures(heard[:12], monkeypatch, [(other, -1.0 - worse), (one, -1.0)]) == kept


def test_a_fit_from_nothing_must_tell_takes_better_by_far_to_come_first(
    heard: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has met only these hands is too sure of the next one."""
    shipped = load_shipped("microphone")
    for better, first in ((0.1, shipped.digest), (0.2, None)):
        told = by_their_figures(heard[:12], monkeypatch, [(None, -1.0 + better), (shipped, -1.0)])
        assert told[0] == first


def test_the_better_start_does_not_judge_where_takes_sound_like_the_others(
    heard: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It tells left-out takes by far better, so the other is not kept for its counts; but its judge would refuse half
    of these."""
    takes, starts = heard[:12], tuple(map(load_shipped, ("microphone", "contact")))
    made = {start.digest: fit(takes, start_from=start) for start in starts}
    table, shell = (made[start.digest] for start in starts)
    better = float(shell.profile.accuracy["log_score"]) + 2 * AS_GOOD_NATS
    figures = table.profile.accuracy | {"log_score": better}
    made[starts[0].digest] = replace(table, profile=replace(table.profile, accuracy=figures))
    monkeypatch.setattr(prior, "fit", lambda rows, counts, unit, start_from: made[start_from.digest])
    for on_shell, said_by in ((True, [shell, table]), (False, [table])):
        monkeypatch.setattr(prior, "sounds_on_the_shell", lambda rows, said=on_shell: said)
        fitted = fit_from(takes, starts=starts)
        assert [head.model for head in fitted.heads] == [
            head.model for one in said_by for head in one.profile.heads
        ]


@pytest.mark.parametrize("damaged", ["contact", "microphone"])
def test_a_shipped_profile_that_is_damaged_is_told_and_nothing_is_fitted_without_it(
    damaged: str,
    sweeps: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def load(kind: str) -> profiles.Profile:
        if kind == damaged:
            raise ProfileError(f"{kind}.profile is damaged", "install it again")
        return load_shipped(kind)

    monkeypatch.setattr(prior, "load_shipped", load)
    out = tmp_path / "mine.profile"
    assert run(["calibrate", "igloos", "fit", str(sweeps), "--out", str(out)]) == 2
    (said,) = capsys.readouterr().err.strip().splitlines()
    assert said == f"polartable: PT-401: {damaged}.profile is damaged – install it again"
    assert not out.exists()


def test_a_table_microphones_shakes_are_not_taken_for_handling(tmp_path: Path) -> None:
    """As a contact microphone's judge does, whose start counts some folders of table microphones a little better."""
    takes: dict[str, Rows] = {"table": [], "shell": []}
    for seed, beads in enumerate((3, 10, 5, 8)):  # two that a processor rounds otherwise may mislead
        hand = Player.draw(42).on(1)
        made = simulate(beads, Device.draw(41), hand, seed, 1.2, sensors=("microphone", "contact"))
        for place, sound in (("table", made.sound), ("shell", made.contact)):
            assert sound is not None
            soundfile.write(tmp_path / f"{seed}-{place}.wav", sound, 48000)
            recording = Recording(tmp_path, f"{seed}-{place}.wav", "microphone", beads, session="s")
            both = fronts_of([recording])  # for nobody says where it was
            takes[place].append([hear(recording, front) for front in both])
    assert sounds_on_the_shell(takes["shell"])
    assert not sounds_on_the_shell(takes["table"])
    answers = [answer(load_shipped("contact"), of_one) for of_one in takes["table"]]
    # whether that judge refuses these very takes hangs on how a processor rounds: here it has
    no_shake = [replace(t.heard, verdict="not-a-shake", reason=HANDLED) for t in answers]
    tested = [replace(t, heard=said) for t, said in zip(answers, no_shake, strict=True)]
    assert '"place":"table" in recordings.jsonl' in str(refusal(tested))
    shell = {"place": "shell"}
    named = [replace(t, row=replace(t.row, recording=replace(t.row.recording, more=shell))) for t in tested]
    assert "would be refused" in str(refusal(named))
    assert '"place"' not in str(refusal(named))
