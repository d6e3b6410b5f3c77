"""The recordings folder: read as a stream, told what is wrong line by line, and kept as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import recordings as store
from calibration.errors import RecordingsError
from calibration.recordings import Recording, parse_line
from firmware_bridge.errors import PolartableError

GOOD = '{"file":"a.wav","sensor":"microphone","beads":7,"session":"s1","weather":"fog"}'


def read(folder: Path) -> tuple[list[Recording], list[PolartableError]]:
    bad: list[PolartableError] = []
    return list(store.read(folder, bad.append)), bad


def test_bad_lines_are_told_one_by_one_and_the_rest_goes_on(tmp_path: Path) -> None:
    bad_lines = [
        "not json", "[1]", '{"sensor":"microphone","beads":3}', '{"file":"b.wav","sensor":"ear","beads":3}',
        '{"file":"b.wav","sensor":"microphone","beads":-1}', '{"file":"b.wav","sensor":"microphone","beads":true}',
        '{"file":"../../etc/passwd","sensor":"microphone","beads":3}', '{"file":"/etc/passwd","sensor":"microphone"}',
        '{"file":"a.wav","sensor":"microphone","beads":"seven"}', '{"file":"a',
    ]  # fmt: skip
    (tmp_path / store.LIST).write_text("\n".join([GOOD, *bad_lines, "", GOOD]))
    good, bad = read(tmp_path)
    assert len(good) == 2
    assert len(bad) == len(bad_lines)
    for number, error in enumerate(bad, start=2):
        assert f"line {number}," in str(error)
        assert "\n" not in str(error)
        assert " – " in str(error)


def test_keys_that_are_not_ours_are_kept(tmp_path: Path) -> None:
    (tmp_path / store.LIST).write_text(GOOD + "\n")
    (recording,), _ = read(tmp_path)
    assert recording.more == {"weather": "fog"}
    store.append(recording)
    lines = (tmp_path / store.LIST).read_text().splitlines()
    assert json.loads(lines[1])["weather"] == "fog"


def test_a_line_cut_short_by_a_power_failure_does_not_swallow_the_next(tmp_path: Path) -> None:
    (tmp_path / store.LIST).write_text(GOOD + '\n{"file":"b')
    store.append(Recording(tmp_path, "c.wav", "microphone", 3))
    good, bad = read(tmp_path)
    assert [r.file for r in good] == ["a.wav", "c.wav"]
    assert len(bad) == 1


def test_a_folder_without_a_list_and_no_folder_at_all(tmp_path: Path) -> None:
    with pytest.raises(RecordingsError, match=r"has no recordings\.jsonl"):
        read(tmp_path)
    with pytest.raises(RecordingsError, match="is no folder"):
        read(tmp_path / "nowhere")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(
    entry=st.dictionaries(
        st.sampled_from(["file", "sensor", "beads", "set", "session", "rejected", "x"]), JSON
    )
)
@settings(max_examples=60)
def test_any_object_is_a_recording_or_one_sentence(entry: dict[str, object]) -> None:
    line = json.dumps(entry)
    refused: RecordingsError | None = None
    try:
        recording = parse_line(Path("somewhere"), 3, line)
    except RecordingsError as error:
        refused = error
    if refused is not None:
        assert "line 3," in str(refused)
    else:
        assert parse_line(Path("somewhere"), 3, json.dumps(recording.to_json())) == recording
