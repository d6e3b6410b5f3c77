"""A microphone's file that holds less than was recorded: no treble, lossy compression, or few bits a sample.

Codecs smear hits into the silence between them, by which few beads are told from many. Of 212 simulated shakes, by
microphones near, across the table and on the shell, these shares were told exactly, with so many beads too many on
average:

    as recorded              .31   0.6     64 kbit/s, Opus    .22   1.3     20 kbit/s, Opus    .08   4.4
    111 kbit/s, Vorbis       .22   1.4     8 bits a sample    .24   0.3

From 125 kbit/s on (Opus, MP3; Vorbis 177) nothing was lost of 140 of them, nor by the 8 bits of telephones, whose steps
are finer where sound is soft.
"""

from __future__ import annotations

from sensors.ear.sources.at_rest import Fault
from sensors.ear.sources.sound_file import SoundFile
from sensors.ear.sources.treble import LOOK_AT_S, no_treble

PACKED = {
    "VORBIS": "Vorbis",
    "OPUS": "Opus",
    "MPEG_LAYER_I": "MP1",
    "MPEG_LAYER_II": "MP2",
    "MPEG_LAYER_III": "MP3",
}
LEAST_KBITS = 120.0
EIGHT_BITS = ("PCM_S8", "PCM_U8", "DPCM_8")


def too_little(file: SoundFile) -> Fault | None:
    """What is wrong with a microphone's file; None where nothing is, or it cannot be told. Only the first fault makes
    shakes unsure; the others are merely reported."""
    return no_treble(file.blocks(LOOK_AT_S), file.rate) or poorly_written(file)


def poorly_written(file: SoundFile) -> Fault | None:
    """What the file's format took from the sound; None where it took nothing."""
    return _packed(file) or _few_bits(file)


def _packed(file: SoundFile) -> Fault | None:
    name, kbits = PACKED.get(file.subtype), file.size * 8e-3 / file.seconds
    # of a file that breaks off the length is the header's, and the bytes are what is left
    if name is None or file.breaks_off or kbits >= LEAST_KBITS:
        return None
    return Fault(
        "packed",
        # a codec that spends less on silence may have spent more on the shake: that cannot be told
        f"the sound was packed to {kbits:.0f} kbit/s on average ({name}), and with less than {LEAST_KBITS:g} in a "
        "shake its hits are smeared, and more beads are heard than there are",
        "record as WAV or FLAC",
    )


def _few_bits(file: SoundFile) -> Fault | None:
    if file.subtype not in EIGHT_BITS:
        return None
    return Fault(
        "bits",
        "the sound has 8 bits a sample, too few for the soft hits between loud ones",
        "record with 16 bits or more",
    )
