"""Takes that look odd: a wrong label is named before what is merely too loud, and once for all takes of its igloo."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from calibration.recordings.folder import Recording
from calibration.testing.odd import LINES, lines_of, odd_takes


def take(
    name: str,
    p: float,
    *,
    refused: bool = False,
    clipped: bool = False,
    counted: bool = True,
    like: int = 8,
    **named: Any,
) -> Any:
    """A take said to hold seven beads, to which that probability was given."""
    row = SimpleNamespace(clipped=clipped, recording=Recording(Path(), name, "microphone", 7, **named))
    heard, odds = SimpleNamespace(reason="a knock"), {7: p, like: 1 - p}
    return SimpleNamespace(
        counted=counted, refused=refused, best=like, probabilities=odds, heard=heard, row=row
    )


def said(takes: list[Any]) -> list[tuple[str, str]]:
    return [(", ".join(r.file for r in one.takes), one.why) for one in odd_takes(takes)]


def test_labels_that_the_sound_contradicts_come_first_and_those_most_that_fit_least() -> None:
    takes = [
        take("fits", 0.4),
        take("unlikely, as one in twenty is", 0.05),
        take("overdriven", 0.4, clipped=True),
        take("no shake", 1e-5, refused=True),
        take("far", 0.005),
        take("farther", 1e-5),
        take("thrown out", 1e-5, counted=False),
    ]
    assert said(takes) == [
        ("farther", "sounds like 8, said to hold 7"),
        ("far", "sounds like 8, said to hold 7"),
        ("no shake", "a knock"),
        ("overdriven", "overdriven"),
    ]


def test_overdriven_takes_hide_no_label_of_others_and_are_asked_about_their_own() -> None:
    loud = [take(f"loud {i}", 0.4, clipped=True) for i in range(20)]
    both = take("both", 1e-4, clipped=True)
    shown, rest = lines_of(odd_takes([*loud, both, take("label", 0.005), take("knock", 0.4, refused=True)]))
    assert [(one.takes[0].file, one.why) for one in shown[:3]] == [
        ("both", "sounds like 8, said to hold 7; overdriven as well"),
        ("label", "sounds like 8, said to hold 7"),
        ("knock", "a knock"),
    ]
    assert [one.why for one in shown[3:]] == ["overdriven"] * LINES["overdriven"]
    assert rest == f"And {20 - LINES['overdriven']} more overdriven."


def test_what_a_page_has_no_room_for_is_summed_up_by_reason() -> None:
    takes = [take(f"label {i}", 0.005) for i in range(LINES["label"] + 1)]
    takes += [take(f"knock {i}", 0.4, refused=True) for i in range(LINES["refused"] + 2)]
    assert lines_of(odd_takes(takes))[1] == (
        "And 1 more that sounds like another count, 2 more that are no shake."
    )
    assert lines_of(odd_takes(takes[1:3])) == (odd_takes(takes[1:3]), "")


def test_a_file_that_is_listed_again_is_one_take() -> None:
    (alone,) = odd_takes([take("a.wav", 0.005), take("./a.wav", 0.005)])
    assert ([r.file for r in alone.takes], alone.why) == (["a.wav"], "sounds like 8, said to hold 7")
    both = [take("b.wav", p, igloo="I") for p in (0.005, 0.005)] + [take("c.wav", 0.4, igloo="I")]
    (of_two,) = odd_takes(both)
    assert of_two.why == "1 of 2 takes of it sounds like 8, said to hold 7"


def test_takes_of_one_igloo_that_contradict_its_label_are_one_wrong_label() -> None:
    of = {"igloo": "D01-05", "device": "D01"}
    takes = [
        take("fits", 0.4, session="s1", **of),
        take("three", 0.005, like=3, session="s1", **of),
        take("another", 1e-4, session="s1", igloo="D01-07", device="D01"),
        take("five", 0.005, like=5, clipped=True, session="s2", **of),
        take("elsewhere", 0.009, session="s2", igloo="D01-05", device="D02"),
        take("nobody's", 0.008, session="s2"),
        take("unnamed", 0.0095),
    ]
    first, *others = odd_takes(takes)
    assert [r.file for r in first.takes] == ["three", "five"]
    assert first.why == ("2 of 3 takes of it sound like 3 or 5, said to hold 7; 1 of them overdriven as well")
    assert first.where == "igloo D01-05, sessions s1, s2"
    assert [(one.takes[0].file, one.where) for one in others] == [
        ("another", "igloo D01-07, session s1"),
        ("nobody's", "session s2"),
        ("elsewhere", "igloo D01-05 of D02, session s2"),
        ("unnamed", ""),
    ]
    assert others[0].why == "sounds like 8, said to hold 7"
