"""The cost of listening: CPU per second of 48 kHz sound with partial answers, memory, time to the verdict; and a fit.

    python -m benchmarks.ear_cost

Targets: at most 0.03 s of CPU per second of sound, under 250 MB, the verdict within 150 ms of the stated silence. The
sound is simulated shakes with pauses, about two thirds of the time shaken. The peer is MiniRocket's transform of the
same sound, which alone gives no count yet.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
import soundfile

from sensors.ear.frames.finder import BLOCK_S as BLOCK_OF_FINDER_S
from sensors.ear.frames.finder import FADED_DB, SILENCE_S
from sensors.ear.frames.frontend import Envelopes, FrontEnd
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import SHIPPED, load_shipped
from sensors.ear.shakes.shake import get_ready
from sensors.evidence import Heard, Hearing

RATE = 48000
SETS = (2, 3, 4, 5, 6, 7)  # sets of igloos, each shaken by a different person
BLOCK_S = 0.02
SILENT_S = 20.0
CHIP_NOISE_G = 0.0026  # at rest, of each sample: 90 µg/√Hz (LSM6DS3, data sheet) up to 800 Hz


def recorded(kind: str) -> list[tuple[npt.NDArray[np.float32], float, list[float]]]:
    """For each set float32[samples, channels] of a contact microphone or an accelerometer, its true rate, and when the
    last bead of each shake hit, in s: simulated shakes of 2–13 beads, with a second's rest between them."""
    from hw_mock.igloo.device import Device
    from hw_mock.igloo.hand import Player
    from hw_mock.igloo.shake import simulate

    random = np.random.default_rng(0)
    pieces = []
    for igloos in SETS:
        device, player = Device.draw(igloos), Player.draw(igloos).on(0)
        parts, stopped, begins_s = [], list[float](), 0.0
        for number in range(12):
            shaken = simulate(2 + number, device, player, number, 2.5, sensors=(kind,))
            if kind == "contact":
                assert shaken.contact is not None
                taken, rate = shaken.contact[:, None], float(RATE)
                lying, noise = 0.0, float(np.std(taken[: RATE // 50]))
            else:
                assert shaken.accel is not None
                taken, rate = shaken.accel, shaken.accel_true_rate
                lying, noise = taken[:20].mean(axis=0), CHIP_NOISE_G
            rest = lying + noise * random.standard_normal((round(rate), taken.shape[1]))
            parts += [rest.astype(np.float32), taken]
            stopped.append(begins_s + len(rest) / rate + float(shaken.impacts[-1, 0]))
            begins_s += (len(rest) + len(taken)) / rate
        pieces.append((np.concatenate([*parts, rest.astype(np.float32)]), rate, stopped))
    return pieces


def listening(kind: str) -> tuple[float, npt.NDArray[np.float32]]:
    """CPU seconds per second of what `kind` hears, with partial answers; prints them with the answers and their times.
    Returns as well all that was heard, float32[samples, channels]."""
    get_ready(load_shipped(kind).sensor)
    late: list[float] = []
    after_beads: list[float] = []
    partial, spent, heard_s = 0, 0.0, 0.0
    pieces = recorded(kind)
    for samples, rate, stopped in pieces:
        ear = Listener(load_shipped(kind), rate, samples.shape[1], "benchmark", partial=True)
        step = round(BLOCK_S * rate)
        levels = loudness(ear.head.front, samples, rate)
        list(ear.push(samples[: round(rate)]))  # warm up
        samples = samples[round(rate) :]
        begun = time.process_time()
        for start in range(0, len(samples), step):
            tick = time.perf_counter()
            for said in ear.push(samples[start : start + step]):
                partial += isinstance(said, Hearing)
                if isinstance(said, Heard) and said.verdict != "not-a-shake":
                    now = ear.now_s + time.perf_counter() - tick
                    late.append(now - last_loud_s(levels, said.start_s, ear.now_s) - SILENCE_S)
                    after_beads.append(now - max(at for at in stopped if at < now) - SILENCE_S)
        spent += time.process_time() - begun
        heard_s += len(samples) / rate
    name = f"{kind}, {rate / 1000:.3g} kHz"
    print(
        f"{name:<33} {spent / heard_s:.4f} s of CPU a second, with partial answers (wanted ≤ 0.03 of 48 kHz)"
    )
    print(f"  partial answers                 {partial} in {heard_s:.0f} s")
    print(
        f"  verdict after stated silence    {1000 * np.median(late):.0f} ms (half of {len(late)}) and "
        f"{1000 * np.quantile(late, 0.95):.0f} ms (95 %), from "
        f"the last hundredth of a second within {FADED_DB:g} dB of the shake's loudest (wanted: 95 % < 150)"
    )
    print(
        f"                                  {1000 * np.median(after_beads):.0f} ms and "
        f"{1000 * np.quantile(after_beads, 0.95):.0f} ms from the last blow of a bead, as the simulator knows it"
    )
    return spent / heard_s, np.concatenate([samples for samples, _, _ in pieces])


def loudness(front: FrontEnd, samples: npt.NDArray[np.float32], rate: float) -> npt.NDArray[np.float64]:
    """The level as the ear hears it, float64[hundredths of a second], dB."""
    wide = Envelopes(front, rate, samples.shape[1]).push(samples).energy[:, -1].astype(np.float64)
    frames = round(front.frame_rate * BLOCK_OF_FINDER_S)
    whole = wide[: len(wide) // frames * frames].reshape(-1, frames)
    return np.asarray(10 * np.log10(whole.mean(1) + 1e-12))


def last_loud_s(levels: npt.NDArray[np.float64], since_s: float, until_s: float) -> float:
    """When silence began, relative to the loudest level between these times."""
    first = round(since_s / BLOCK_OF_FINDER_S)
    heard = levels[first : round(until_s / BLOCK_OF_FINDER_S)]
    return float((first + 1 + np.flatnonzero(heard > heard.max() - FADED_DB)[-1]) * BLOCK_OF_FINDER_S)


def silence() -> None:
    """The same for a pulled plug: true zeros after a shake."""
    ear = Listener(load_shipped("contact"), RATE, 1, "benchmark", partial=True)
    step = round(BLOCK_S * RATE)
    for _ in ear.push(0.1 * np.random.default_rng(0).standard_normal((RATE, 1)).astype(np.float32)):
        pass
    nothing = np.zeros((step, 1), np.float32)
    begun = time.process_time()
    for _ in range(round(SILENT_S / BLOCK_S)):
        list(ear.push(nothing))
    print(
        f"listening to true silence         {(time.process_time() - begun) / SILENT_S:.4f} s of CPU a second"
    )


def minirocket(samples: npt.NDArray[np.float32]) -> float | None:
    """CPU seconds per second of sound for the transform of two-second pieces; None if aeon is not installed."""
    if importlib.util.find_spec("aeon") is None:
        return None
    from aeon.transformations.collection.convolution_based import MiniRocket

    pieces = samples[: len(samples) // (2 * RATE) * 2 * RATE].reshape(-1, 1, 2 * RATE).astype(np.float64)
    rocket = MiniRocket(random_state=0).fit(pieces[:2])
    rocket.transform(pieces[:1])
    begun = time.process_time()
    rocket.transform(pieces)
    cost = (time.process_time() - begun) / (pieces.size / RATE)
    print(f"MiniRocket's transform (aeon)     {cost:.4f} s of CPU a second of sound")
    return cost


MEMORY = """
import sys
if sys.argv[1] != "accelerometer":
    import sounddevice  # a microphone's device needs it, and a file of the same does not
from pathlib import Path
from table.cli import main
try:
    main(["listen", sys.argv[2], "--profile", sys.argv[1], "--partial", "--json"])
finally:
    lines = (line.split() for line in Path("/proc/self/status").read_text().splitlines())
    size = {line[0]: int(line[1]) / 1024 for line in lines if line[0] in ("VmHWM:", "RssFile:")}
    heavy = sorted(m for m in sys.modules if m in ("sklearn", "matplotlib", "numba", "pandas", "hw_mock"))
    print(size["VmHWM:"], size["RssFile:"], *heavy, file=sys.stderr)
"""


def rattle(rate: int, channels: int) -> npt.NDArray[np.float32]:
    """A minute of noise, float32[samples, channels]; for three of every eight seconds strokes make it much louder, like
    a shake."""
    random = np.random.default_rng(0)
    at = np.arange(60 * rate)
    loud = np.where((at // rate % 8 < 3) & (at % (rate // 5) < rate // 20), 200, 1)
    noise = random.standard_normal((len(at), channels), dtype=np.float32)
    return np.asarray(1e-3 * noise * loud[:, None], dtype=np.float32)


def memory() -> None:
    """Peak memory of `polartable listen` for a minute of sound, printed as it goes on."""
    for kind in SHIPPED:
        rate, channels = (3200, 3) if kind == "accelerometer" else (RATE, 1)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "rattle.wav"
            soundfile.write(file, rattle(rate, channels), rate, subtype="FLOAT")
            done = subprocess.run(
                [sys.executable, "-c", MEMORY, kind, str(file)],
                env=os.environ
                | {"NUMBA_CACHE_DIR": str(Path(folder) / "compiled")},  # as in the first run on a machine
                capture_output=True,
                text=True,
                timeout=300,
            )
        try:
            peak, mapped, *heavy = done.stderr.splitlines()[-1].split()
            told = done.stdout.count('"event": "shake"')
            sizes = f"{float(peak):.0f} MB at most (wanted < 250), {float(mapped):.0f} of them files"
        except (IndexError, ValueError):
            print(f"memory, {kind}: not measured ({done.stderr.strip() or 'it said nothing'})")
            continue
        loaded = "; with " + ", ".join(heavy) if heavy else ""
        print(f"memory, {kind:<25} {sizes} mapped, as libraries are{loaded}; {told} shakes in a minute")


def fitting() -> None:
    """The command's fit of 72 takes, on simulated shakes."""
    for kind in ("accelerometer", "contact"):
        with tempfile.TemporaryDirectory() as folder:
            takes = ["--devices", "1", "--players", "3", "--sessions", "3", "--takes", "2", "--sensor", kind]
            command([*["simulate", "shakes", "--seed", "3", "--out"], folder, *takes])
            begun = time.perf_counter()
            command(["calibrate", "igloos", "fit", folder, "--out", str(Path(folder) / "mine.profile")])
            print(
                f"fitting 72 takes, {kind:<15} {time.perf_counter() - begun:.0f} s, with every session left out in turn"
            )


def command(words: list[str]) -> None:
    code = "import sys; from table.cli import main; main(sys.argv[1:])"
    subprocess.run([sys.executable, "-c", code, *words], check=True, capture_output=True)


def main() -> None:
    ours, heard = listening("contact")
    silence()
    listening("accelerometer")
    theirs = minirocket(heard[:, 0])
    if theirs:
        print(f"ratio                             {ours / theirs:.2f} of MiniRocket's")
    memory()
    fitting()


if __name__ == "__main__":
    main()
