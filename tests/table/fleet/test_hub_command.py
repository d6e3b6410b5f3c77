"""`polartable hub` as a process: its page, the lines for programs, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
from paho.mqtt import publish

from tests.mosquitto import mosquitto
from tests.parts import ROOT, needs
from tests.table.fleet.fleets import overheard, until
from tests.table.fleet.hub_messages import online, state
from tests.table.pages import Watched, chromium, service

ENDS_S = 20.0  # of a process that has a server to close


@needs("mosquitto", "chromium", "playwright")
def test_the_page_shows_a_table_and_that_it_needs_somebody(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        names = {"BROKER": broker.url, "TABLE": "north", "TITLE": "<i>North</i>"}
        fleet = os.environ | {f"POLARTABLE_FLEET__{key}": value for key, value in names.items()}
        with (
            service("hub", "--port", "0", "--broker", broker.url, data=tmp_path / "h") as (lines, ready),
            service("serve", "--port", "0", data=tmp_path / "n", environment=fleet) as (north, one),
            chromium() as browser,
        ):
            watched = Watched(browser, 1200, 700)
            page = watched.page
            page.goto(ready["address"])
            page.get_by_text("Tables: 1. All is well.").wait_for()
            # on a phone too, and with everything twice as large there
            for width in (390, 195):
                phone = Watched(browser, width, 844).page
                phone.goto(ready["address"])
                phone.get_by_text("Tables: 1. All is well.").wait_for()
                assert phone.evaluate("document.documentElement.scrollWidth") == width
                phone.close()
            assert httpx.post(one["address"] + "api/play", json={"move": "tilt n>S"}, timeout=20).json()["ok"]
            page.get_by_text("Yellow tilts the north pair to the south").wait_for()
            page.get_by_role("button", name="North").click()
            page.get_by_text("Yellow begins.").wait_for()
            page.get_by_role("button", name="Close").click()
            north.kill()  # without a word: its last will speaks
            page.get_by_text("Somebody is needed at 1: <i>North</i>").wait_for()
            broker.kill()
            page.get_by_text("PT-721").wait_for()
            page.get_by_text("Tables: 1. Something is amiss with the broker.").wait_for()
            assert watched.complaints == []
            assert watched.outside(ready["address"]) == []
            assert (
                httpx.get(ready["address"], headers={"host": "evil.example"}, timeout=20).status_code == 403
            )
            lines.terminate()
            said = [json.loads(line) for line in lines.stdout or ()]
    assert [line["move"] for line in said if line["event"] == "told"] == [None, "tilt n>S"]


def test_a_hub_without_a_broker_is_one_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from table.cli import main; main()", "hub"]
    environment = os.environ | {"POLARTABLE_DATA": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, env=environment)
    assert done.returncode == 2
    assert done.stderr.startswith("polartable: PT-101: there is no broker to follow – give --broker")
    odd = subprocess.run(
        [*command, "--broker", "http://x"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env=environment,
    )
    assert odd.returncode == 2
    assert odd.stderr.startswith("polartable: PT-726: ")
    none = [*command, "--broker", "mqtt://127.0.0.1:1", "--no-page", "--json", "--seconds", "1"]
    away = subprocess.run(none, capture_output=True, text=True, cwd=ROOT, check=False, env=environment)
    assert away.returncode == 0
    assert "PT-721" in json.loads(away.stdout.splitlines()[0])["why"]


def test_a_hub_whose_terminal_is_closed_ends_as_by_ctrl_c(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from table.cli import main; main()", "hub", "--no-page", "--json"]
    command += ["--broker", "mqtt://127.0.0.1:1", "--book", str(tmp_path / "hub.sqlite")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as hub:
        assert hub.stdout is not None
        assert "PT-721" in hub.stdout.readline()
        hub.send_signal(signal.SIGHUP)
        said = hub.communicate(timeout=ENDS_S)
    assert (hub.returncode, said[1]) == (0, "")


@needs("mosquitto")
def test_a_page_whose_hub_can_say_nothing_any_more_does_not_stand_there_content(tmp_path: Path) -> None:
    """`polartable hub --json | head -1`: following had ended, and the page stayed as it was."""
    with mosquitto(tmp_path) as broker:
        command = [sys.executable, "-c", "from table.cli import main; main()", "hub", "--json", "--port", "0"]
        with subprocess.Popen(
            [*command, "--broker", broker.url, "--book", str(tmp_path / "hub.sqlite")],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        ) as process:
            assert process.stdout is not None
            assert json.loads(process.stdout.readline())["event"] == "ready"
            process.stdout.close()
            said = online()
            publish.single(said.topic, said.payload, retain=True, hostname="127.0.0.1", port=broker.port)
            try:
                assert process.wait(ENDS_S) == 0
                assert process.stderr is not None
                assert process.stderr.read() == ""
            finally:
                process.kill()


@needs("mosquitto")
async def test_people_who_cannot_be_told_are_no_reason_to_end(tmp_path: Path) -> None:
    """A log that is full: the page has it all."""
    with mosquitto(tmp_path) as broker, Path("/dev/full").open("w") as full:
        lacking = state(3)
        publish.single(lacking.topic, lacking.payload, retain=True, hostname="127.0.0.1", port=broker.port)
        command = [sys.executable, "-c", "from table.cli import main; main()", "hub", "--no-page"]
        command += ["--broker", broker.url, "--book", str(tmp_path / "hub.sqlite")]
        async with overheard(broker, lacking.topic.replace("state", "again")) as asked:
            with subprocess.Popen(command, stderr=full, cwd=ROOT) as process:
                try:  # it asks after it has tried to say that the broker is there
                    await until(lambda: bool(asked) or process.poll() is not None)
                    process.terminate()
                    assert process.wait(ENDS_S) == 0
                finally:
                    process.kill()
