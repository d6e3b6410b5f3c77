"""Igloos of a port that were moved but not shaken while the wizard waits: lifted, put down, bumped.

That can be any igloo, even while the wizard waits for another one.
"""

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

# With this length and this many strokes, somebody may have meant to shake it. That holds for two of 49 moves of
# simulated igloos that were handled and not shaken, and for five of 18 shakes of half a second to one second, of which
# eleven are takes.
LIKE_A_SHAKE_S, LIKE_A_SHAKE = 0.5, 4
# so many moves in a row without a shake: now tell a person who shakes too gently; one who lifts is told nothing
MANY = 4


def only_moved(take: TakeHeard | None, stream: Source, way: Way) -> float | None:
    """How long (s) an igloo of a port was only moved; None if it was a take."""
    if not (isinstance(stream, IglooCapture) and stream.whichever) or "gesture" in way.more:
        return None
    if take is None or take.problem in (None, INTERRUPTED):
        return None
    # for a faint movement the whole take seems to be the shake, including the margin around it
    most = len(take.samples) / stream.rate - AROUND_S - SILENCE_S
    seconds = min(take.shake.seconds, max(0.0, most)) if take.shake is not None else 0.0
    return seconds if seconds < LEAST_SHAKEN_S else None


def move_told(seconds: float, shake: Shake | None, times: int, way: Way) -> str | None:
    """The message about a move, if it helps: each igloo is lifted before it is shaken, and that needs no message.

    `times`: how many moves there were without a take, including this one.
    """
    meant = shake is not None and shake.strokes >= LIKE_A_SHAKE and seconds >= LIKE_A_SHAKE_S
    if not meant and times % MANY:
        return None
    return f"Moved for {seconds:.1f} s, which is no shake: {way.asks()}."
