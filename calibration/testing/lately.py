"""Does a profile still fit the sound of a sitting? Its takes follow one another like the shakes of a stream."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from calibration.recordings.folder import Recording
from calibration.recordings.taken import taken_at
from calibration.testing.evaluate import Tested
from calibration.words import many
from sensors.ear.verdicts.drift import Lately
from sensors.ear.verdicts.lines import after
from sensors.why import Why

Source = tuple[str, str, str, str]
NAMED = 3  # sittings that a sentence names
HEARD = {
    "microphone": "the microphone heard",
    "contact": "the contact microphone heard",
    "accelerometer": "the accelerometer felt",
}


def source_of(recording: Recording) -> Source:
    """The stream that a take belongs to: one sitting by one sensor."""
    return recording.occasion, recording.sensor, recording.place or "", recording.gesture or ""


def in_order(recordings: Sequence[Recording]) -> list[int]:
    """Indices of the recordings, where those of each source are in the order of their times if all its lines have one,
    else as in the list. The order between sources is unchanged."""
    places: dict[Source, list[int]] = defaultdict(list)
    for i, recording in enumerate(recordings):
        places[source_of(recording)].append(i)
    out = list(range(len(recordings)))
    for mine in places.values():
        times = {i: at for i in mine if (at := taken_at(recordings[i])) is not None}
        if len(times) == len(mine):
            for place, i in zip(mine, sorted(mine, key=lambda i: times[i]), strict=True):
                out[place] = i
    return out


def as_in_a_stream(tested: Sequence[Tested]) -> list[Tested]:
    """Each answer, given with the earlier takes of its sitting known as well."""
    out = list(tested)
    for i, lately in _followed(tested):
        out[i] = replace(tested[i], heard=after(lately, tested[i].heard))
    return out


def out_of_date(tested: Sequence[Tested]) -> str | None:
    """A sentence on the sittings whose takes, one after another, sounded different from what the profile expects; None
    where there is none, and for folds, each of which had a profile of its own."""
    asked = [t for t in tested if t.left_out is None]
    drifted = {asked[i].row.recording.occasion for i, lately in _followed(asked) if lately.drifted}
    sittings: dict[str, list[Tested]] = defaultdict(list)
    for t in asked:
        if t.row.recording.occasion in drifted:
            sittings[t.row.recording.occasion].append(t)
    if not sittings:
        return None
    said = [_of(takes) for takes in sittings.values()]
    kinds = {t.row.recording.kind for takes in sittings.values() for t in takes}
    what = HEARD[kinds.pop()] if len(kinds) == 1 else "was heard"
    named = [*said[:NAMED], *([many(len(said) - NAMED, "other session")] if said[NAMED:] else [])]
    where = ", ".join(named[:-1]) + (" and " if named[1:] else "") + named[-1]
    return f"what {what} in {where} is not what the profile was made for: recalibrate, one sweep is enough"


def _followed(tested: Sequence[Tested]) -> Iterator[tuple[int, Lately]]:
    """The index of each take that tells about the profile, in order, with its sitting's recent takes up to it."""
    lately = defaultdict[Source, Lately](Lately)
    for i in in_order([t.row.recording for t in tested]):
        odd, recording = tested[i].odd, tested[i].row.recording
        if odd is not None and recording.rejected is None:
            lately[source_of(recording)].add(odd)
            yield i, lately[source_of(recording)]


def _of(takes: Sequence[Tested]) -> str:
    """`session s2 of D01 (8 of 12 takes)`."""
    recording = takes[0].row.recording
    where = f"session {recording.session}" if recording.session else "recordings that name no session"
    where += f" of {recording.device}" if recording.device else ""
    told = sum(t.heard.why is Why.RECALIBRATE for t in takes)
    return f"{where} ({told} of {many(len(takes), 'take')})"
