"""Five states of a sense: healthy, alarmed, recovering, escalated, failed – and always the way back."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from table.senses.watchdog import Change, Patience, Senses


def test_a_loss_that_brings_its_mend_has_one_mend() -> None:
    told: list[Change] = []
    watch = Senses(told.append)
    dog = watch.watch("microphone of red", "look at its plug", 0.0)
    dog.lost(1.0, "there is no input device USB – give one of A, B")
    assert (told[0].why, told[0].mend) == ("there is no input device USB", "give one of A, B")
    dog.alive(2.0)
    watch.tick(9.0)
    assert told[-1].mend == "look at its plug"  # now it is only silent


def senses() -> tuple[Senses, list[Change]]:
    told: list[Change] = []
    return Senses(told.append, Patience(1.0, 2.0, 5.0, 60.0)), told


def test_what_is_still_being_opened_is_given_longer_than_what_was_heard() -> None:
    watch, told = senses()
    opening, heard = (
        watch.watch(name, "look at its plug", 0.0) for name in ("microphone of red", "the cubes")
    )
    heard.alive(0.1)
    watch.tick(2.0)
    assert [c.source for c in told] == ["the cubes"]
    opening.alive(3.9)
    watch.tick(4.5)
    assert opening.state == "healthy"


def test_a_microphone_that_falls_silent_goes_through_all_states_and_comes_back_by_itself() -> None:
    watch, told = senses()
    dog = watch.watch("microphone of red", "look at its plug", 0.0)
    dog.alive(0.0)
    for second in range(100):
        watch.tick(float(second))
    assert [c.state for c in told] == ["alarmed", "recovering", "escalated", "failed"]
    assert [c.t for c in told] == [1.0, 2.0, 5.0, 60.0]
    assert told[0].mend == "look at its plug"
    assert not watch.awake
    dog.alive(100.0)
    assert told[-1].state == "healthy"
    assert watch.awake


def test_a_pulled_cable_is_said_at_once_with_its_reason() -> None:
    watch, told = senses()
    dog = watch.watch("cubes on port", "plug it in", 0.0)
    dog.alive(10.0)
    dog.lost(10.1, "the cable was pulled")
    assert (told[0].state, told[0].why) == ("alarmed", "the cable was pulled")
    assert watch.to_json() == {
        "healthy": False,
        "sources": [
            {
                "source": "cubes on port",
                "state": "alarmed",
                "why": "the cable was pulled",
                "mend": "plug it in",
                "mute": False,
            }
        ],
    }


def test_one_that_lives_is_never_spoken_of() -> None:
    watch, told = senses()
    dog = watch.watch("x", "", 0.0)
    for tenth in range(1000):
        dog.alive(tenth / 10)
        watch.tick(tenth / 10)
    assert told == []


@given(st.lists(st.tuples(st.sampled_from(["alive", "lost", "tick"]), st.floats(0.01, 30.0)), max_size=60))
def test_whatever_happens_it_is_healthy_after_a_sign_of_life_and_told_each_change_once(
    events: list[tuple[str, float]],
) -> None:
    watch, told = senses()
    dog, now = watch.watch("x", "mend", 0.0), 0.0
    for what, later in events:
        now += later
        if what == "alive":
            dog.alive(now)
            assert dog.state == "healthy"
        elif what == "lost":
            dog.lost(now, "gone")
            assert dog.state != "healthy"
        else:
            watch.tick(now)
    states = ["healthy"] + [c.state for c in told]
    assert all(a != b for a, b in pairwise(states))
