"""Peers of the ear, on the same splits in the same run: MiniRocket, MFCC with a network, a small CNN.

Each peer is trained as a classifier over counts, as its users would do; none knows about sessions.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import soundfile

from calibration.recordings.folder import Recording

Floats = npt.NDArray[np.float64]
LENGTH_S = 2.4
ENVELOPE_RATE = 2205
MELS, POINTS = 40, 96  # size of the CNN's spectrograms
Peer = Callable[[Sequence[Recording]], Floats]  # features of recordings, float[recordings, …]


def _mono(recording: Recording) -> tuple[Floats, int]:
    sound, rate = soundfile.read(recording.path, always_2d=True)
    sound = sound - sound.mean(axis=0)
    mono = (
        np.sqrt(np.square(sound).sum(axis=1)) if recording.sensor == "accelerometer" else sound.mean(axis=1)
    )
    loud = np.flatnonzero(np.abs(mono) > 0.1 * np.quantile(np.abs(mono), 0.99))
    middle = int(loud[len(loud) // 2]) if len(loud) else len(mono) // 2
    half = int(LENGTH_S / 2 * rate)
    piece = mono[max(0, middle - half) : middle + half]
    return np.pad(piece, (0, 2 * half - len(piece))), rate


def envelopes(recordings: Sequence[Recording]) -> Floats:
    """Logarithmic envelopes for MiniRocket, float[recordings, 1, points]."""
    out = []
    sounds = [_mono(recording) for recording in recordings]
    # one length for all, because a folder may hold sensors of several rates
    points = int(LENGTH_S * min(ENVELOPE_RATE, *(rate for _, rate in sounds)))
    for sound, _ in sounds:
        edges = np.linspace(0, len(sound), points + 1).astype(int)[:-1]
        energy = np.add.reduceat(np.square(sound), edges)
        out.append(np.log(energy / energy.mean() + 1e-3))
    return np.array(out)[:, None]


def mfcc(recordings: Sequence[Recording]) -> Floats:
    """Means and standard deviations of 20 MFCC and their differences, float[recordings, 80]."""
    import librosa

    out = []
    for recording in recordings:
        sound, rate = _mono(recording)
        window = 1024 if rate > 8000 else 128
        c = librosa.feature.mfcc(
            y=sound,
            sr=rate,
            n_mfcc=20,
            n_fft=window,
            hop_length=window // 4,
            n_mels=40 if rate > 8000 else 20,
        )
        d = np.diff(c, axis=1)
        out.append(np.concatenate([c.mean(axis=1), c.std(axis=1), d.mean(axis=1), d.std(axis=1)]))
    return np.array(out)


def mel_pictures(recordings: Sequence[Recording]) -> Floats:
    """Log-mel spectrograms for the CNN, float[recordings, MELS · POINTS], each with mean 0 and deviation 1."""
    import librosa

    out = []
    for recording in recordings:
        sound, rate = _mono(recording)
        window = 1024 if rate > 8000 else 128
        hop = max(1, len(sound) // (POINTS - 1))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # empty bands of a sensor with a low rate
            mel = librosa.feature.melspectrogram(y=sound, sr=rate, n_fft=window, hop_length=hop, n_mels=MELS)
        picture = np.log(mel + 1e-6 * mel.max() + 1e-12)[:, :POINTS]
        picture = np.pad(picture, ((0, 0), (0, POINTS - picture.shape[1])), mode="edge")
        out.append(((picture - picture.mean()) / (picture.std() + 1e-9)).ravel())
    return np.array(out)


def _minirocket() -> Any:
    from aeon.transformations.collection.convolution_based import MiniRocket
    from sklearn.linear_model import RidgeClassifierCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(
        MiniRocket(n_kernels=4000, random_state=0),
        StandardScaler(with_mean=False),
        RidgeClassifierCV(np.logspace(0, 6, 7)),
    )


def _network() -> Any:
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), MLPClassifier((64,), alpha=1.0, max_iter=400, random_state=0))


def _convolutional() -> Any:
    from benchmarks.ear_cnn import SmallCNN

    return SmallCNN((MELS, POINTS))


def peers() -> dict[str, tuple[Peer, Callable[[], Any]]]:
    """Name → features and a fresh classifier; only those whose library is installed."""
    out: dict[str, tuple[Peer, Callable[[], Any]]] = {}
    if importlib.util.find_spec("aeon"):
        out["MiniRocket (aeon)"] = (envelopes, _minirocket)
    if importlib.util.find_spec("librosa"):
        out["MFCC + MLP (librosa, scikit-learn)"] = (mfcc, _network)
    if importlib.util.find_spec("librosa") and importlib.util.find_spec("jax"):
        out["CNN on log-mel (librosa, JAX)"] = (mel_pictures, _convolutional)
    return out


def left_out(
    name: str, recordings: Sequence[Recording], folds: Sequence[str], tested: Callable[[Recording], bool]
) -> tuple[float, float]:
    """A peer's shares of answers exact and within one; every fold of tested recordings is left out in turn."""
    features, fresh = peers()[name]
    x = features(recordings)
    beads = np.array([r.beads for r in recordings])
    fold = np.array(folds)
    asked = np.array([tested(r) for r in recordings])
    exact, near = [], []
    for one in sorted(set(fold[asked])):
        test = (fold == one) & asked
        said = fresh().fit(x[fold != one], beads[fold != one]).predict(x[test])
        exact += list(said == beads[test])
        near += list(np.abs(said - beads[test]) <= 1)
    return float(np.mean(exact)), float(np.mean(near))
