"""A report: what goes in, what never does, and how large it gets."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import threading
import zipfile
from datetime import datetime, tzinfo
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from calibration.recordings.folder import parse_line
from calibration.recordings.taken import unread
from calibration.traps.by_the_clock import moment
from table.cli import run
from table.journal.store import Journal
from table.report import packing
from table.report.recordings import of_folder
from table.report.redact import GONE, Redactor
from tests.table.games import new_ice_cult, play_on

SECRETS = ("hunter2", "s3cr3t-broker", "anna-maria", "192837", "Grandma's birthday")


@pytest.fixture(scope="module")
def book_of_three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of three games with refusals and corrections."""
    file = tmp_path_factory.mktemp("three") / "journal.sqlite"
    with Journal(file) as book:
        for number in (1, 2, 3):
            desk = new_ice_cult(book, seed=number, name=f"evening-{number}")
            play_on(desk, 12, seed=number)
            desk.play("tilt n>N", None)
            desk.undo()
            desk.close("another game was begun, said anna@example.org")
    return file


@pytest.fixture
def played(book_of_three: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table's data: that journal, and a settings file with secrets."""
    data = tmp_path / "data"
    data.mkdir()
    shutil.copy(book_of_three, data)
    monkeypatch.setenv("POLARTABLE_DATA", str(data))
    config = tmp_path / "table.toml"
    config.write_text('[fleet]\nbroker = "mqtt://anna-maria@club.example"\npassword = "hunter2"\n')
    monkeypatch.setenv("POLARTABLE_CONFIG", str(config))
    return tmp_path


def packed(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as pack:
        return {name: pack.read(name) for name in pack.namelist()}


@pytest.mark.parametrize("year", [1970, 2108, 2400])
def test_a_clock_of_another_time_keeps_nobody_from_a_report(
    played: Path, monkeypatch: pytest.MonkeyPatch, year: int
) -> None:
    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Clock:
            return cls(year, 2, 29 if year % 4 == 0 else 28, tzinfo=tz)

    monkeypatch.setattr(packing, "datetime", Clock)
    assert run(["report", "--out", str(played / "report.zip")]) == 0
    with zipfile.ZipFile(played / "report.zip") as pack:
        assert {info.date_time[0] for info in pack.infolist()} == {1980 if year == 1970 else 2107}


def test_a_report_tells_enough_and_is_played_again_elsewhere(
    played: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = played / "report.zip"
    assert run(["report", "--out", str(out), "--games", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == ["evening-3", "evening-2"]
    assert told["recordings"] == 0
    inside = packed(out)
    assert {"report.json", "versions.json", "settings.json", "doctor.json", "counters.json"} <= inside.keys()
    assert not any(name.startswith("recordings/") for name in inside)  # sound only when asked
    counted = json.loads(inside["counters.json"])
    assert counted["entries"]["new"] == 3
    assert counted["told_by"]["hand"] == 36
    assert json.loads(inside["versions.json"])["packages"]["numpy"]
    assert len(json.loads(inside["doctor.json"])) >= 16
    monkeypatch.setenv("POLARTABLE_DATA", str(played / "elsewhere"))  # another machine has no journal
    assert run(["journal", "replay", str(out), "--json"]) == 0
    assert [json.loads(line)["game"] for line in capsys.readouterr().out.splitlines()] == [
        "evening-3",
        "evening-2",
    ]


def test_the_doctors_list_in_a_report_asks_the_running_table_for_its_microphones() -> None:
    """It holds them open: whoever opens them once more would report that another program has them."""
    from table.config import Settings
    from table.report import contents

    table = {"game": "game-1", "sources": [{"source": "microphone of red", "state": "healthy", "why": ""}]}

    class Health(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(table).encode())

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with HTTPServer(("127.0.0.1", 0), Health) as server:
        thread = threading.Thread(target=server.handle_request, daemon=True)
        thread.start()
        settings = Settings(serve={"port": server.server_port}, ear={"sources": {"red": "no-such"}})
        told = contents.doctor(settings, None, Redactor([]))
        thread.join(5)
    assert next(line["what"] for line in told if line["check"] == 8) == "1 of 1 are heard"


def test_another_verdict_elsewhere_is_found(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = played / "report.zip"
    run(["report", "--out", str(out)])
    inside = packed(out)
    name = next(n for n in inside if n.startswith("games/01"))
    inside[name] = inside[name].replace(b'"after": "', b'"after": "0', 1)
    with zipfile.ZipFile(out, "w") as pack:
        for member, data in inside.items():
            pack.writestr(member, data)
    assert run(["journal", "replay", str(out)]) == 1
    said = capsys.readouterr()
    assert "PT-607" in said.err
    assert said.out.count("the same verdicts") == 2  # the other games are still played


def test_no_secret_and_no_name_is_in_it(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from table.report import contents

    lines = (
        "Players type 192837; whoever hosts types 84736251.",
        "connecting to mqtt://anna-maria:hunter2@club.example:1883",
        "/" + "home/anna-maria/igloo.profile cannot be read",
        "token aGVsbG8gd29ybGQgdGhpcyBpcyBhIHRva2Vu and 00:1A:2b:3c:4d:5e",
    )
    monkeypatch.setattr(contents, "log", lambda redactor: "\n".join(map(redactor.text, lines)))
    folder = played / "takes"
    folder.mkdir()
    (folder / "Grandma's birthday.wav").write_bytes(b"RIFF" + bytes(2000))
    line = {
        "file": "Grandma's birthday.wav", "sensor": "microphone", "beads": 7, "igloo": "anna-maria-7",
        "player": "anna-maria", "device": "anna-maria", "session": "Grandma's birthday",
        "taken": "2026-11-20T18:00:00Z", "where": "s3cr3t-broker",
    }  # fmt: skip
    (folder / "recordings.jsonl").write_text(
        json.dumps(line) + "\n" + '{"file":"gone.wav","sensor":"microphone"}\n'
    )
    out = played / "report.zip"
    assert run(["report", "--out", str(out), "--recordings", str(folder)]) == 0
    inside = packed(out)
    everything = b"\n".join([*inside.values(), *(name.encode() for name in inside)])
    for secret in (*SECRETS, "84736251", "aGVsbG8gd29ybGQ", "00:1A:2b", "anna@example.org"):
        assert secret.encode() not in everything, secret
    assert json.loads(inside["settings.json"])["in_force"]["fleet"]["password"] == GONE
    kept = json.loads(inside["recordings/recordings.jsonl"])
    assert (kept["beads"], kept["igloo"], kept["player"], kept["device"]) == (7, "D01-I01", "P01", "D01")
    assert inside[f"recordings/{kept['file']}"][:4] == b"RIFF"


def test_recordings_stay_what_they_are_without_anybodys_name(tmp_path: Path) -> None:
    base = {"sensor": "microphone", "beads": 4, "simulated": True, "counts": [4, 9], "strength": 1.5}
    told = [
        {"igloo": "Ida-4", "device": "Ida", "place": "shell", "taken": "2026-11-20T18:00:00Z"},
        {"igloo": "Ida-9", "device": "Ida", "place": "Ida's shelf", "taken": "at Ida's"},
        {"igloo": "Ida-4", "device": "Bo", "place": "table", "counts": ["Ida"], "taken": None},
    ]
    lines = [{"file": f"{n}.wav"} | base | one for n, one in enumerate(told)]
    (tmp_path / "recordings.jsonl").write_text("\n".join(map(json.dumps, lines)))
    packed = [line for _, line in of_folder(tmp_path, pytest.fail)]
    assert [line["igloo"] for line in packed] == ["D01-I01", "D01-I02", "D02-I01"]
    assert [line["place"] for line in packed] == ["shell", "place01", "table"]
    assert [line.get("counts") for line in packed] == [[4, 9], [4, 9], None]
    assert [line.get("taken") for line in packed] == ["2026-11-01", None, None]
    assert all(line["simulated"] and "strength" not in line for line in packed)
    assert "Ida" not in json.dumps(packed)
    again = parse_line(tmp_path, 1, json.dumps(packed[0]))  # our own commands have nothing to complain of
    assert (again.kind, unread(again), moment(again)) == ("contact", False, None)


def test_a_disk_only_to_be_read_is_said_in_one_sentence(
    played: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(path: Path, *_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(Path, "unlink", refuse)  # so it does there, also where there is no such file
    assert run(["report", "--out", str(played / "report.zip")]) == 2
    said = capsys.readouterr().err
    assert "PT-608" in said
    assert "report.zip cannot be written (Read-only file system)" in said


def test_it_never_grows_beyond_what_was_allowed(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = played / "takes"
    folder.mkdir()
    for number in range(8):
        (folder / f"{number}.wav").write_bytes(random.Random(number).randbytes(300_000))
    lines = [{"file": f"{n}.wav", "sensor": "microphone", "beads": 2} for n in range(8)]
    (folder / "recordings.jsonl").write_text("\n".join(map(json.dumps, lines)))
    out = played / "report.zip"
    assert run(["report", "--out", str(out), "--recordings", str(folder), "--most", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert out.stat().st_size <= 2**20
    assert 0 < told["recordings"] < 8
    assert told["left_out"]
    with zipfile.ZipFile(out) as pack:  # what was taken back has left no hole
        assert pack.testzip() is None
        assert len([n for n in pack.namelist() if n.endswith(".wav")]) == told["recordings"]


def test_a_damaged_journal_or_settings_file_still_gives_a_report(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (played / "data" / "journal.sqlite").write_bytes(b"no database at all" * 100)
    (played / "table.toml").write_text("[serve]\nprot = 1\n")
    out = played / "report.zip"
    assert run(["report", "--out", str(out)]) == 0
    complained = capsys.readouterr().err.strip().splitlines()
    assert [line.split(":")[1].strip() for line in complained] == ["PT-102", "PT-603"]
    assert "'serve.prot'" in json.loads(packed(out)["settings.json"])["faults"][0]
    assert run(["report", "--out", str(out)]) == 2  # an existing file is not written over


@pytest.mark.parametrize(("encoding", "faults"), [("utf-8-sig", []), ("utf-16", ["is written in UTF-16"])])
def test_a_report_reads_the_settings_as_the_table_does(
    played: Path, encoding: str, faults: list[str]
) -> None:
    file, out = played / "table.toml", played / "report.zip"
    file.write_text(file.read_text(), encoding=encoding)
    assert run(["report", "--out", str(out)]) == 0
    told = json.loads(packed(out)["settings.json"])["faults"]
    assert all(words in fault for words, fault in zip(faults, told, strict=True))


@given(st.text(max_size=60))
@example("anna-maria")
def test_what_is_named_is_gone_whatever_stands_around_it(text: str) -> None:
    redactor = Redactor(["anna-maria", "club-pi"])
    assert "anna-maria" not in redactor.text(f"{text} anna-maria {text.replace('anna-maria', '')}")
    assert redactor.value({"password": text or "x", "deep": [{"api_token": text or "x"}]}) == {
        "password": GONE,
        "deep": [{"api_token": GONE}],
    }
