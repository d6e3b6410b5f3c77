"""Whether the ear in play, which finds shakes by itself, counts a recording that figures cut as a single shake.

Light beads on a heavy shell are hardly louder than the hand. The cut of a whole recording may then contain a second of
handling beside the shake and be no shake as it stands, while a stream is cut differently.
"""

from __future__ import annotations

from calibration.recordings.folder import Recording
from calibration.takes.features import LONGEST_TAKE_S
from sensors.ear.errors import ProfileError, SoundError
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import Profile
from sensors.ear.sources.sound_file import open_sound
from sensors.evidence import Heard, Hearing


def told_in_play(profile: Profile, recording: Recording) -> bool:
    """Does a listener hear a shake in any stretch of it? False where it cannot be read."""
    try:
        file = open_sound(recording.path)
        ear = Listener(profile, file.rate, file.channels, recording.file, fine=file.fine)
        blocks = file.blocks(LONGEST_TAKE_S, as_written=True)
        return any(_tells(said) for block in blocks for said in ear.push(block)) or any(
            map(_tells, ear.finish())
        )
    except (SoundError, ProfileError):
        return False


def _tells(said: Heard | Hearing) -> bool:
    return isinstance(said, Heard) and said.verdict != "not-a-shake"
