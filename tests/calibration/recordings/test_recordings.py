"""The recordings folder: read as a stream, told what is wrong line by line, and kept as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.errors import RecordingsError
from calibration.recordings import folder as store
from calibration.recordings.folder import Recording, parse_line
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


def test_a_whole_path_is_taken_where_it_leads_into_the_folder(tmp_path: Path) -> None:
    """As other programs write it."""
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real").mkdir()
    for folder in (tmp_path / "real", tmp_path / "link"):
        line = json.loads(GOOD) | {"file": str(tmp_path / "real" / "s1" / "a.wav")}
        assert parse_line(folder, 1, json.dumps(line)).file == "s1/a.wav"
    outside = json.loads(GOOD) | {"file": str(tmp_path / "real" / ".." / "a.wav")}
    with pytest.raises(RecordingsError, match="points outside its folder"):
        parse_line(tmp_path / "real", 1, json.dumps(outside))


@pytest.mark.parametrize("sign", ["\x1b[2J", "\t", "\n", "\r", "\x00", "\x7f", "\x9b", "\ud800"])
@pytest.mark.parametrize(
    "key",
    [
        "file",
        "igloo",
        "device",
        "player",
        "session",
        "set",
        "pair",
        "taken",
        "rejected",
        "place",
        "gesture",
        "source",
    ],
)
def test_no_name_steers_a_terminal_or_cannot_be_written(key: str, sign: str) -> None:
    line = json.dumps(json.loads(GOOD) | {key: f"red{sign}.wav"})
    with pytest.raises(RecordingsError, match=rf'^PT-211: .*, line 3, has a "{key}" that .* – ') as refused:
        parse_line(Path("somewhere"), 3, line)
    assert str(refused.value).isprintable()


def test_names_are_in_whatever_language_and_what_is_not_ours_is_kept_to_the_last_sign() -> None:
    names = {
        "player": "Jürgen Ü.",
        "device": "🐧 1",
        "igloo": "イグルー 7",
        "session": "d'été",
        "place": "Tür & Tor",
    }
    more = {"note": "one\ttab\nand \x1b[2J and \ud800", "of": ["\x00"]}
    recording = parse_line(Path("somewhere"), 3, json.dumps(json.loads(GOOD) | names | more))
    assert {key: recording.to_json()[key] for key in names} == names
    assert {key: recording.more[key] for key in more} == more


def test_names_that_are_no_text_are_shown_as_json() -> None:
    recording = parse_line(
        Path("somewhere"), 3, json.dumps(json.loads(GOOD) | {"player": ["\x1b", "\ud800"]})
    )
    assert recording.player == '["\\u001b", "\\ud800"]'


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


@pytest.mark.parametrize("blank", ["", " ", None])
def test_what_is_blank_is_no_name(blank: str | None) -> None:
    """Spreadsheets write what is missing so: igloos of no set are not one set."""
    names = ("igloo", "device", "player", "session", "set", "pair", "taken", "place")
    line = json.dumps({"file": "a.wav", "sensor": "microphone", "beads": 3} | dict.fromkeys(names, blank))
    read = parse_line(Path("x"), 1, line)
    assert [getattr(read, name) for name in names] == [None] * len(names)


def test_a_number_is_one_name_however_it_was_written() -> None:
    whole, broken = (
        parse_line(Path("x"), 1, json.dumps({"file": "a.wav", "sensor": "microphone", "session": said}))
        for said in (2, 2.0)
    )
    assert whole.session == broken.session == "2"


def test_a_line_in_another_encoding_is_told_and_joins_no_names(tmp_path: Path) -> None:
    lines = [GOOD, GOOD.replace("s1", "Jörg"), GOOD.replace("s1", "Jürg")]
    (tmp_path / store.LIST).write_bytes("\n".join(lines).encode("latin-1"))
    good, bad = read(tmp_path)
    assert [r.session for r in good] == ["s1"]
    assert [str(error).partition(" – ")[2] for error in bad] == ["save the list as UTF-8"] * 2


def test_no_two_sittings_are_one_for_a_slash_in_their_names() -> None:
    one, other = (
        Recording(Path("x"), "a.wav", "microphone", device=device, session=session)
        for device, session in (("lab", "x/1"), ("lab/x", "1"))
    )
    assert one.occasion != other.occasion


@pytest.mark.parametrize(
    ("line", "tells"),
    [
        ({"beads": 7}, True),
        ({"beads": 0}, True),  # an empty igloo is as good as any other
        ({"beads": None}, False),
        ({"beads": 7, "rejected": "noise"}, False),
        ({"beads": 7, "rejected": None}, True),
        ({"beads": None, "rejected": "noise"}, False),
    ],
)
def test_a_take_tells_of_a_count_where_that_is_known_and_it_was_not_thrown_out(
    line: dict[str, object], tells: bool
) -> None:
    whole = {"file": "a.wav", "sensor": "microphone", **line}
    assert parse_line(Path("x"), 1, json.dumps(whole)).kept_with_count is tells
