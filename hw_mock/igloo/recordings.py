"""Simulated recordings on disk, in the format of docs/contracts.md 3."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import soundfile as sf
from numpy.typing import NDArray
from scipy.io import wavfile

from firmware_bridge.host.uninterrupted import uninterrupted
from hw_mock.igloo.constants import SOUND_RATE
from hw_mock.igloo.faults import spoil
from hw_mock.igloo.plan import Job, device_of, player_of
from hw_mock.igloo.room import Room
from hw_mock.igloo.shake import SENSORS, Shake, simulate

PLACES = {"microphone": "table", "near": "near", "contact": "shell"}


def take(job: Job) -> Shake:
    """Simulate one take."""
    device = device_of(job.plan_seed, job.device, job.rate, job.wide)
    player = player_of(job.plan_seed, job.player, job.wide).on(job.day)
    room = Room.draw(job.room)
    return simulate(job.beads, device, player, job.seed, job.seconds, job.sensors, job.gesture, room)


def planned(job: Job, sensor: str | None) -> dict[str, Any]:
    """The line of that sensor (one of `shake.SENSORS`; None: unknown), as far as the plan knows it beforehand."""
    device = f"D{job.device + 1:02d}"
    line: dict[str, Any] = {
        "beads": job.beads,
        "igloo": f"{device}-{job.beads:02d}",
        "device": device,
        "player": f"P{job.player + 1:02d}",
        "session": f"{device}/{job.session}",
        "pair": job.pair,
        "taken": job.taken,
        "gesture": job.gesture,
    }
    if job.sweep is not None:
        line["set"] = f"{device}/{job.session}/{job.sweep + 1}"
    if sensor is not None and (fault := job.fault_of(sensor)) is not None:
        line["fault"] = fault
    return line


def sensor_of(line: dict[str, Any]) -> str | None:
    """Which of `shake.SENSORS` recorded the file of a line; None for a line that is not ours."""
    if line.get("sensor") == "accelerometer":
        return "accelerometer"
    return next((sensor for sensor, place in PLACES.items() if line.get("place") == place), None)


@lru_cache(maxsize=256)
def felt_rate(plan_seed: int, device: int, rate: float | None) -> float:
    """The true rate in Hz of that device's accelerometer, as in its lines; `rate`: nominal, None: its chip's."""
    drawn = device_of(plan_seed, device, rate)
    return round(drawn.accelerometer_rate * drawn.accelerometer_true, 2)


def happened(shake: Shake) -> dict[str, Any]:
    """The part of every line of a take that only the simulation knows; it does not depend on the sensors."""
    hard = shake.impacts[shake.impacts[:, 6] > 0.03]  # faster than 3 cm/s
    on_wall, on_each_other = int(np.sum(hard[:, 2] < 2)), int(np.sum(hard[:, 2] == 2))
    return {"strength_g": round(shake.level, 3), "hits": [on_wall, on_each_other]}


def write(folder: Path, job: Job) -> list[dict[str, Any]]:
    """Simulate one take, write its files, and return its lines for `recordings.jsonl`."""
    shake = take(job)
    recorded = {
        "microphone": shake.sound,
        "near": shake.near,
        "contact": shake.contact,
        "accelerometer": shake.accel,
    }
    lines = []
    for sensor, name in job.files().items():
        felt = sensor == "accelerometer"
        rate = round(shake.accel_rate) if felt else SOUND_RATE
        samples = recorded[sensor]
        assert samples is not None
        fault = job.fault_of(sensor)
        if fault is not None:
            samples = spoil(samples, rate, fault, job.seed + SENSORS.index(sensor))
        store(folder / name, samples, rate)
        line: dict[str, Any] = {
            "file": name,
            "sensor": "accelerometer" if felt else "microphone",
            **planned(job, sensor),
            "rejected": None,
            "simulated": True,
            **happened(shake),
        }
        line |= (
            {"true_rate_hz": felt_rate(job.plan_seed, job.device, job.rate)}
            if felt
            else {"place": PLACES[sensor]}
        )
        lines.append(line)
    return lines


def store(path: Path, samples: NDArray[np.float32], rate: int) -> None:
    """Write 16-bit FLAC for a microphone, float WAV for values in g. It is written aside and then moved, so that no
    partial file remains."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    if path.suffix == ".flac":
        sound = io.BytesIO()  # not straight to disk: on a full disk libsndfile says only "System error"
        with uninterrupted():
            sf.write(sound, samples, rate, format="FLAC", subtype="PCM_16")
        part.write_bytes(sound.getbuffer())
    else:  # libsndfile writes the time of day into a float WAV: files of equal recordings would differ
        wavfile.write(part, rate, samples)
    part.replace(path)


def written(folder: Path) -> set[str]:
    """Files that `recordings.jsonl` of `folder` lists and that exist; a broken last line is ignored."""
    return {line["file"] for line in listed(folder) if (folder / line["file"]).is_file()}


def listed(folder: Path) -> Iterator[dict[str, Any]]:
    """The lines of `recordings.jsonl` of `folder`, if it exists, except those that name no file and a last line that
    `open_index` would remove."""
    index = folder / "recordings.jsonl"
    if not index.is_file():
        return
    with index.open(encoding="utf-8", errors="replace") as lines:
        for text in lines:
            if not text.endswith("\n"):
                return
            try:
                line = json.loads(text)
            except (ValueError, RecursionError):
                continue
            if isinstance(line, dict) and isinstance(line.get("file"), str):
                yield line


def open_index(folder: Path) -> TextIO:
    """Open `recordings.jsonl` of `folder` for appending; a truncated last line is removed."""
    path = folder / "recordings.jsonl"
    if path.is_file():
        whole = path.read_bytes()
        path.write_bytes(whole[: whole.rfind(b"\n") + 1])
    return path.open("a", encoding="utf-8")
