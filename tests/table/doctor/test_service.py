"""The doctor on the service: its settings, its starts, its unit, and every restriction of that unit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from table.cli import run
from table.doctor import service
from table.setup.plan import UNIT, unit
from table.starts import Starts


def test_settings_that_cannot_be_used_are_a_finding_and_not_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.toml"
    file.write_text("[serve]\nprot = 1\n")
    assert run(["doctor", "--config", str(file), "--json"]) == 1
    found = {line["check"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
    assert len(found) >= 16
    assert "line 2" in found[14]["what"]


def test_starts_that_did_not_finish(tmp_path: Path) -> None:
    assert service.starts(tmp_path).state == "not here"  # nobody has started a table yet
    Starts(tmp_path).begin()
    assert service.starts(tmp_path).state == "look"
    Starts(tmp_path).begin()
    assert service.starts(tmp_path).state == "bad"


def test_a_unit_of_another_version(tmp_path: Path) -> None:
    file = tmp_path / UNIT.name
    assert service.installed(file).state == "not here"
    file.write_text(unit(lan=True).replace("ProtectHome=yes\n", ""))
    assert "not the one of this version" in service.installed(file).what


def test_the_doctor_is_put_under_every_restriction_of_the_unit() -> None:
    text = unit(lan=False)
    command = service.inside(text, ["/opt/polartable/current/bin/polartable", "doctor"])
    given = [command[i + 1] for i, word in enumerate(command) if word == "-p"]
    for line in (
        "User=polartable",
        "ProtectSystem=strict",
        "DevicePolicy=closed",
        "SystemCallFilter=@system-service",
    ):
        assert line in given
    assert not any(line.startswith(("Type=", "ExecStart=", "WatchdogSec=", "Restart=")) for line in given)
    assert len(given) > 40
    assert command[-2:] == ["/opt/polartable/current/bin/polartable", "doctor"]
    assert run(["doctor", "--as-service"]) == 2  # no unit on a machine of tests
