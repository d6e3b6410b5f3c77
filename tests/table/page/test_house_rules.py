"""House rules are chosen at the page; what pieces somebody has stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from rules.core import data
from table.games import GAMES, has_own_pieces
from table.page.house_rules import APART, OF_PIECES, offered
from table.page.new_game import GAMES as AT_PAGE
from table.page.new_game import whose_pieces
from tests.parts import needs
from tests.table.pages import Watched, complaints, service

IN_A_BROWSER = needs("chromium", "playwright")
GAME = pytest.mark.parametrize("game", GAMES)


@GAME
def test_whatever_the_page_offers_a_game_begins_with(game: str) -> None:
    players = AT_PAGE[game][1][-1]
    modes = [{"mode": mode} for mode in ("digital", "physical")] if has_own_pieces(game) else [{}]
    for mode, option in product(modes, offered(game)):
        for value in option.choices or range(option.least or 0, (option.most or 0) + 1):
            state, _ = GAMES[game].new(players, 7, mode | {option.name: value})
            assert GAMES[game].view(state, None)["options"][option.name] == value


@GAME
def test_every_option_is_offered_or_of_pieces(game: str) -> None:
    """`sides` are whose colours are whose: they go with the players."""
    here = {option.name for option in offered(game)}
    assert {o.name for o in GAMES[game].options} - here - {*APART, *OF_PIECES, "sides"} == set()


def test_a_game_that_knows_nothing_of_whose_pieces_is_asked_nothing_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It refused the option that the dialog gave it, and could not be begun."""
    assert whose_pieces("ice-cult", "digital") == {"mode": "digital"}
    assert whose_pieces("igloo-pop", "digital") == {"mode": "physical"}
    monkeypatch.setattr("table.games.GAMES", {"nim": SimpleNamespace(options=())})
    assert whose_pieces("nim", "digital") == {}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with service("serve", "--port", "0", data=tmp_path_factory.mktemp("house")) as (_, ready):
        yield ready["address"]


def unfold(page: Page, game: str, *, opened: bool = False) -> Locator:
    """The dialog with the rules of that game; `opened`: they are shown at once, for one is not as it is printed."""
    page.get_by_role("button", name="Another game").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Game").click()
    page.get_by_role("option", name=game, exact=True).click()
    if not opened:
        # the rules of the game before may have been open, and close when this one's come
        expect(dialog.get_by_role("button", name="House rules", expanded=False)).to_be_visible()
        dialog.get_by_text("House rules").click()
    return dialog


def begun(page: Page, address: str) -> dict[str, Any]:
    """By which options the game is played that is begun now."""

    def table() -> dict[str, Any]:
        return dict(page.request.get(f"{address}api/table").json())

    before = table()["name"]
    # by keyboard: what unfolds above may move the button between a mouse's down and up
    page.get_by_role("dialog").get_by_role("button", name="Begin").press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert table()["name"] != before
    return dict(table()["view"]["options"])


@IN_A_BROWSER
def test_rules_are_chosen_and_stay_and_so_do_the_pieces(address: str, browser: Browser) -> None:
    """Cubes whose faces somebody told lie on the table still, in the second game as well."""
    page = Watched(browser).page
    page.goto(address)
    cubes = data.load("cubes", "assumed-v1") | {"name": "ours"}
    game = {"game": "ice-cult", "players": ["yellow", "red"]}
    options = {"mode": "digital", "length": 7, "cubes": cubes}
    page.request.post(f"{address}api/new", data=game | {"options": options})
    dialog = unfold(page, "Ice Cult", opened=True)
    expect(dialog.get_by_label("Spaces of a path")).to_have_value("7")
    dialog.get_by_text("Five pawns in one stack win").click()
    second = begun(page, address)
    assert (second["length"], second["five_stack_by_anyone"], second["circles_compulsory"]) == (
        7,
        False,
        True,
    )
    assert (second["mode"], second["cubes"]) == ("digital", cubes)


@IN_A_BROWSER
def test_one_rule_that_sets_two_hides_them(address: str, browser: Browser) -> None:
    watched = Watched(browser)
    page = watched.page
    page.goto(address)
    dialog = unfold(page, "Igloo Igloo")
    entry = dialog.get_by_role("checkbox", name="Hardcore: no Inuit enters")
    expect(entry).not_to_be_checked()
    dialog.get_by_text("Hardcore, both rules").click()
    expect(entry).to_have_count(0)
    dialog.get_by_label("Half points").click()
    page.get_by_role("option", name="are rounded up").click()
    options = begun(page, address)
    hardcore = [options[name] for name in ("hardcore", "hardcore_entry", "hardcore_scores")]
    assert (hardcore, options["half_rounding"]) == ([True] * 3, "up")
    dialog = unfold(page, "Igloo Igloo", opened=True)
    expect(dialog.get_by_role("checkbox", name="Hardcore, both rules")).to_be_checked()
    expect(dialog.get_by_role("checkbox", name="Hardcore: no Inuit enters")).to_have_count(0)
    dialog.get_by_text("Hardcore, both rules").click()
    assert begun(page, address)["hardcore_entry"] is False
    assert watched.complaints == []


@IN_A_BROWSER
def test_another_game_is_offered_as_the_last_one_was_played(address: str, browser: Browser) -> None:
    """It was Ice Cult for two on every page that was opened anew: who played Igloo Pop on chose it every time."""
    page = Watched(browser).page
    page.goto(address)
    dialog = page.get_by_role("dialog")
    for players, game, name in (
        (["green", "blue", "white"], "igloo-pop", "Igloo Pop"),
        (["red", "blue", "yellow", "green"], "igloo", "IGLOO"),
        (["red", "blue", "yellow"], "igloo-igloo", "Igloo Igloo"),
        (["yellow", "red", "green", "blue"], "ice-cult", "Ice Cult"),
    ):
        assert page.request.post(f"{address}api/new", data={"game": game, "players": players}).ok
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
        page.get_by_role("button", name="Another game").click()
        expect(dialog.get_by_label("Game")).to_have_value(name)
        expect(dialog.get_by_label("Players")).to_have_value(str(len(players)))
        begun(page, address)
        view = page.request.get(f"{address}api/table").json()["view"]
        assert (view["game"], len(view.get("seats") or view["players"])) == (game, len(players))


@IN_A_BROWSER
def test_sides_keep_their_colours(address: str, browser: Browser) -> None:
    page = Watched(browser).page
    page.goto(address)
    sides = {"A": ["red", "blue"], "B": ["yellow", "green"]}
    game = {"game": "igloo", "players": ["A", "B"], "options": {"sides": sides}}
    assert page.request.post(f"{address}api/new", data=game).ok
    unfold(page, "IGLOO")
    assert begun(page, address)["sides"] == sides


@IN_A_BROWSER
@needs("axe")
def test_axe_has_nothing_to_say_of_the_dialog(address: str, browser: Browser) -> None:
    page = Watched(browser).page
    page.goto(address)
    unfold(page, "Igloo Igloo")
    expect(page.get_by_role("dialog").get_by_label("Who begins")).to_be_visible()
    assert complaints(page) == []
