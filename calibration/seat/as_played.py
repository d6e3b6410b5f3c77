"""Hears a recording under a profile as `listen` does: gestures that the profile splits get an answer each.

`fit` finds the gesture of a recording without a profile, as a single one, although in play it is sometimes two, with an
answer after the first. The last answer counts as the recording's; the earlier ones were given all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from calibration.seat.taps import (
    LONGEST_GESTURE_S,
    Answered,
    Tapped,
    answer,
    check_sensor,
    set_called,
)
from calibration.words import many
from sensors.ear.frames.mixing import Mixer
from sensors.ear.sources.sound_file import open_sound
from sensors.evidence import Heard
from sensors.gesture.counter import Counter
from sensors.gesture.day import Day
from sensors.gesture.gathered import Gesture
from sensors.gesture.profile import GestureProfile


def as_played(profile: GestureProfile, tapped: Tapped, day: Day | None) -> tuple[Answered, Day | None]:
    """The last answer to one recording, with all earlier ones, and the state of the day after it; `day`: the state
    before. Raises ProfileError for another kind of sensor, SoundError where it can no longer be read."""
    recording = tapped.recording
    check_sensor(profile, recording)
    file = open_sound(recording.path)
    mix = recording.sensor == "microphone"
    own = _of_its_set(profile, recording.device)
    answers: list[tuple[Heard, Gesture]] = []
    counter = Counter(
        own,
        file.rate,
        1 if mix else file.channels,
        recording.file,
        day=day,
        note=lambda *one: answers.append(one),
    )
    mixer = Mixer()
    for block in file.blocks(LONGEST_GESTURE_S, as_written=True):
        counter.push(mixer.push(block) if mix else block)
    counter.finish()
    if not answers:
        nothing = tapped.gesture is None or not tapped.gesture.weights
        return answer(profile, tapped if nothing else replace(tapped, gesture=None), day), counter.day
    *before, (said, gesture) = answers
    on_the_way = tuple(one for one, _ in before)
    return Answered(tapped, profile.counts, said, on_the_way=on_the_way, weighed=gesture), counter.day


def _of_its_set(profile: GestureProfile, device: str | None) -> GestureProfile:
    """The profile reduced to the recording's own set, if the list names one."""
    name = set_called(device, profile)
    return (
        profile
        if name is None
        else replace(profile, sets={k: v for k, v in profile.sets.items() if k == name})
    )


def surely_wrong_on_the_way(answered: Sequence[Answered]) -> int:
    """In how many recordings of a known count a sure but wrong answer came before the last one."""
    return sum(
        any(said.verdict == "sure" and said.best != a.tapped.recording.beads for said in a.on_the_way)
        for a in answered
        if a.counted
    )


def in_words(answered: Sequence[Answered]) -> str | None:
    """The same as a sentence; None where there are none."""
    wrong, counted = surely_wrong_on_the_way(answered), sum(a.counted for a in answered)
    if not wrong:
        return None
    return (
        f"of {wrong} of {many(counted, 'recording')} it was surely wrong before the last answer, which alone is in the "
        "figures: in play that stands until the next tap"
    )
