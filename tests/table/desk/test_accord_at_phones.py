"""What needs everybody's word, over HTTP and on real phones; seats that go from phone to phone."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from firmware_bridge.clock import VirtualClock
from table.door.access import Access, NotAllowed, SeatTaken, WrongCode
from tests.parts import needs
from tests.table.pages import Watched, chromium, service


def test_a_seat_goes_to_another_phone_once_and_to_nobody_by_force() -> None:
    clock = VirtualClock()
    access = Access(clock, lan=True)
    first, looker = access.pair(access.code, "1"), access.pair(access.code, "2")
    access.sit(first, "red")
    with pytest.raises(SeatTaken):
        access.sit(looker, "red")
    with pytest.raises(NotAllowed):
        access.hand_on(looker)
    access.hand_on(first)
    code = access.hand_on(first)  # the first code is no longer good
    second = access.pair(code, "3")
    assert (access.seat_of(second), access.seat_of(first)) == ("red", None)
    with pytest.raises(WrongCode):
        access.pair(code, "4")
    late = access.hand_on(second)
    clock.set(301.0)
    with pytest.raises(WrongCode):
        access.pair(late, "5")
    access.free("red")
    assert access.taken() == set()


def test_everybodys_word_over_http(tmp_path: Any) -> None:
    with service("serve", "--port", "0", "--lan", data=tmp_path) as (_, ready):
        address = f"http://127.0.0.1:{ready['address'].rstrip('/').rsplit(':', 1)[1]}"

        def guest(code: str) -> httpx.Client:
            token = httpx.post(f"{address}/api/pair", json={"code": code}).json()["token"]
            return httpx.Client(base_url=address, headers={"authorization": f"Bearer {token}"}, timeout=20)

        host, yellow, looker = guest(ready["host_code"]), guest(ready["code"]), guest(ready["code"])
        yellow.post("/api/sit", json={"seat": "yellow"})
        assert yellow.post("/api/play", json={"move": "tilt n>S"}).status_code == 200
        assert looker.post("/api/propose", json={"what": "undo"}).status_code == 403
        assert host.post("/api/propose", json={"what": "open"}).status_code == 409  # the game is not over
        assert yellow.post("/api/propose", json={"what": "undo"}).status_code == 200
        asked = looker.get("/api/table").json()["proposal"]
        assert (asked["by"], asked["waiting"]) == ("yellow", ["host"])
        yes = {"key": asked["key"], "yes": True}
        assert looker.post("/api/consent", json=yes).status_code == 403
        assert host.post("/api/consent", json=yes).json()["said"][0]["event"] == "undo"
        assert host.get("/api/table").json()["view"]["first_tilt"] is None
        assert host.post("/api/consent", json=yes).status_code == 409


def phone(browser: Any, address: str, code: str, **more: Any) -> Page:
    watched = Watched(browser, 420, 860, **more)
    watched.page.goto(f"{address}/pair#{code}")
    expect(watched.page.locator(".tablecard").first).to_be_visible()
    return watched.page


# opens the fold, and tells how high it is in the first frames: a button in it must not move under a tap
UNFOLDED = """async () => {
    const fold = document.querySelector("[data-part=together]"), frame = () => new Promise(requestAnimationFrame)
    const closed = fold.offsetHeight, heights = []
    fold.querySelector(".q-item").click()
    while (fold.offsetHeight === closed) await frame()
    for (let n = 0; n < 4; n++) { heights.push(fold.offsetHeight); await frame() }
    return heights
}"""


@needs("chromium", "playwright")
def test_two_phones_agree_hand_a_seat_on_and_abandon_the_game(tmp_path: Any) -> None:
    with service("serve", "--port", "0", "--lan", data=tmp_path) as (_, ready), chromium() as browser:
        address = f"http://127.0.0.1:{ready['address'].rstrip('/').rsplit(':', 1)[1]}"
        yellow = phone(browser, address, ready["code"])
        yellow.get_by_role("button", name="Play Yellow yourself").click()
        red = phone(browser, address, ready["code"], locale="de-DE")
        red.get_by_role("button", name="Rot selbst spielen").click()
        yellow.get_by_role("button", name="Tilt the northern pair towards south").click()
        yellow.get_by_text("Decide together").click()
        yellow.get_by_role("button", name="Ask to take the last move back").click()
        expect(red.locator(".accord")).to_contain_text("Gelb möchte den letzten Zug zurücknehmen")
        red.get_by_role("button", name="Einverstanden").click()
        expect(yellow.locator("[data-part=says]")).to_contain_text(
            "Taken back: “Tilt the northern pair towards south”, by agreement"
        )
        expect(red.get_by_role("button", name="Einverstanden")).to_have_count(0)  # what is below moves up
        red.get_by_text("Gemeinsam entscheiden").click()
        red.get_by_role("button", name="Meinen Platz an ein anderes Telefon geben").click()
        code = re.search(r"\b\d{8}\b", red.locator(".invite").inner_text())
        assert code is not None
        third = phone(browser, address, code[0])
        expect(third.get_by_role("button", name="Leave Red’s seat")).to_be_visible()
        red.keyboard.press("Escape")
        expect(red.get_by_role("button", name="Platz Rot verlassen")).to_have_count(0)
        yellow.get_by_role("button", name="Ask to abandon the game").click()
        third.get_by_role("button", name="No", exact=True).click()
        expect(yellow.locator(".saidlist")).to_contain_text("Red does not agree")
        host = phone(browser, address, ready["host_code"])
        assert len(set(host.evaluate(UNFOLDED))) == 1
        host.get_by_role("button", name="Free Red’s seat").click()
        expect(third.get_by_role("button", name="Play Red yourself")).to_be_visible()
        host.get_by_role("button", name="End this game without a winner").click()
        host.get_by_role("dialog").get_by_role("button", name="End this game").click()
        expect(yellow.locator("[data-part=says]")).to_contain_text("the game is abandoned", ignore_case=True)
        token = httpx.post(f"{address}/api/pair", json={"code": ready["host_code"]}).json()["token"]
        shown = httpx.get(f"{address}/api/table", headers={"authorization": f"Bearer {token}"}).json()
        assert shown["view"]["over"]["winners"] == []
