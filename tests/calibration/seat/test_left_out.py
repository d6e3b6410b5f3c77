"""What is told of a seat's gestures while whole sessions are left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calibration.recordings.folder import read
from calibration.seat.fit import evaluate_taps_left_out, fit_taps
from calibration.seat.taps import listen
from sensors.gesture.profile import save
from tests.calibration.seat.weighed import Write


def test_what_is_told_with_sessions_left_out_names_its_folds_profile(written: Write) -> None:
    """As with shakes: contracts 3 and 4, and nobody keeps that profile."""
    taps = list(listen(read(written(), pytest.fail), pytest.fail))
    others = [replace(t, recording=replace(t.recording, session="s2")) for t in taps]
    folds = list(evaluate_taps_left_out([*taps, *others], "session"))
    digests = [{a.to_json()["profile"] for a in fold} for fold in folds]
    assert [len(one) for one in digests] == [1, 1]
    assert all(digest.startswith("sha256:") for one in digests for digest in one)
    kept = save(fit_taps(others), taps[0].recording.folder / "kept.profile")
    assert digests[0] == {kept.digest}
