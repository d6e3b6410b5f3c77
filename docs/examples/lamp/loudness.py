"""How loud it was at an input device: `python loudness.py DEVICE SECONDS` prints the peak, full scale is 1."""

from __future__ import annotations

import sys

import numpy as np
import sounddevice


def main() -> None:
    name, seconds = sys.argv[1], float(sys.argv[2])
    print("listening", flush=True)
    sound = sounddevice.rec(round(48000 * seconds), 48000, 1, "float32", device=name, blocking=True)
    print(float(np.abs(sound).max()), flush=True)


if __name__ == "__main__":
    main()
