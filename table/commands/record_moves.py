"""Igloos of a port that were moved and not shaken while the wizard waits: lifted, put down, bumped. Any of them may be,
while another one is waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration.recordings.recorder import AROUND_S, LEAST_SHAKEN_S, TakeHeard
from sensors.ear.frames.finder import SILENCE_S
from sensors.ear.shakes.shake import Shake
from sensors.ear.sources.igloo_capture import IglooCapture
from table.commands.record_source import Source
from table.commands.record_words import INTERRUPTED

if TYPE_CHECKING:
    from table.commands.record_way import Way

# So long, and with so many strokes, somebody may have meant to shake it: two of 49 moves of simulated igloos that were
# handled and not shaken are so, and five of 18 shakes of half a second to a whole one, of which eleven are takes.
LIKE_A_SHAKE_S, LIKE_A_SHAKE = 0.5, 4
MANY = 4  # so many in a row, and no shake: who shakes too gently is told so at last, and who lifts one is not


def only_moved(take: TakeHeard | None, stream: Source, way: Way) -> float | None:
    """How long (s) an igloo of a port was only moved; None where it was a take."""
    if not (isinstance(stream, IglooCapture) and stream.whichever) or "gesture" in way.more:
        return None
    if take is None or take.problem in (None, INTERRUPTED):
        return None
    # of what hardly stands out all of the take seems to be the shake, also what was kept around it
    most = len(take.samples) / stream.rate - AROUND_S - SILENCE_S
    seconds = min(take.shake.seconds, max(0.0, most)) if take.shake is not None else 0.0
    return seconds if seconds < LEAST_SHAKEN_S else None


def move_told(seconds: float, shake: Shake | None, times: int, way: Way) -> str | None:
    """What is said of it, where that helps: each igloo is lifted before it is shaken, and nobody need hear of that.
    `times`: the how-many-eth it is, without a take."""
    meant = shake is not None and shake.strokes >= LIKE_A_SHAKE and seconds >= LIKE_A_SHAKE_S
    if not meant and times % MANY:
        return None
    return f"Moved for {seconds:.1f} s, which is no shake: {way.asks()}."
