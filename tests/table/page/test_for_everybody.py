"""The page for people who do not see it, or not in colours: axe-core in a real Chromium, keyboard, marks."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from table.config import Settings
from table.doctor.checks import all_checks
from table.page.colours import PAINTS
from table.page.texts import LANGUAGES, Texts
from tests.parts import needs
from tests.table.pages import Watched, complaints, solid

pytestmark = needs("chromium", "playwright")


@needs("axe")
@pytest.mark.parametrize("path", ["", "pair", "trainer", "listen", "doctor"])
def test_axe_has_nothing_to_say(address: str, browser: Browser, path: str) -> None:
    page = Watched(browser, color_scheme="light").page
    page.goto(address + path)
    if not path:
        expect(page.get_by_role("heading", name="Ice Cult")).to_be_visible()
        expect(page.locator(".board")).to_be_visible()
    if path == "trainer":
        expect(page.get_by_role("button", name="Shake an igloo")).to_be_visible()
    if path == "doctor":
        expect(page.locator(".checks li")).to_have_count(len(all_checks(Settings.read(None))), timeout=60_000)
    assert complaints(page) == []
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"light => {ground} !== light", arg=light)
    # words fade to their new colour, and half-way they have too little contrast
    page.wait_for_function("document.getAnimations().every(one => !(one instanceof CSSTransition))")
    assert complaints(page) == []


@pytest.mark.parametrize(
    ("path", "key"), [("trainer", "train.title"), ("listen", "coach.title"), ("doctor", "doctor.title")]
)
def test_each_page_has_a_name_of_its_own_among_the_tabs(
    address: str, browser: Browser, path: str, key: str
) -> None:
    """All were called Polartable, and a screen reader says no more of a page that opens."""
    page = Watched(browser).page
    for language in LANGUAGES:
        page.goto(f"{address}{path}?lang={language}")
        expect(page).to_have_title(f"{Texts(language)[key]} – Polartable")
    page.goto(address)
    expect(page).to_have_title("Polartable")


def test_a_whole_turn_is_played_with_the_keyboard_alone(address: str, browser: Browser) -> None:
    watched = Watched(browser)
    page = watched.page
    page.goto(address)
    page.get_by_role("button", name="Tilt the northern pair towards south").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-part=says]")).to_contain_text("Yellow tilts the north pair to the south")
    page.get_by_role("button", name="Tilt the southern pair towards south").focus()
    page.keyboard.press("Space")
    expect(page.locator("[data-part=says]")).to_contain_text("Yellow tilts the south pair to the south")
    for _ in range(12):
        end = page.get_by_role("button", name="End the turn")
        if end.count():
            end.focus()
            page.keyboard.press("Enter")
            break
        page.locator(".board .tap").first.focus()  # a pawn on the board, like a button
        before = page.locator(".saidlist li").count()
        page.keyboard.press("Enter")
        more = "document.querySelectorAll('.saidlist li').length > n"
        page.wait_for_function(f"n => {more} || document.querySelector('[role=dialog] button')", arg=before)
        dialog = page.get_by_role("dialog").get_by_role("button")
        if dialog.count():
            dialog.first.focus()
            page.keyboard.press("Enter")
        page.wait_for_function(f"n => {more}", arg=before)
        expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("[data-part=says]")).to_contain_text("ends the turn")
    assert watched.complaints == []


def test_obligations_are_shown_a_refusal_says_what_was_possible_and_another_game_can_be_begun(
    address: str, browser: Browser
) -> None:
    watched = Watched(browser)
    page = watched.page
    page.goto(address)
    page.get_by_role("button", name="Another game").click()
    page.get_by_role("dialog").get_by_role("button", name="Begin").click()
    says = page.locator("[data-part=says]")
    expect(says).to_contain_text("begins")
    page.get_by_role("button", name="Tilt the northern pair towards south").click()
    page.request.post(f"{address}api/play", data={"move": "tilt n>N"})
    expect(says).to_contain_text("Possible instead: Tilt the northern pair towards south")
    page.request.post(f"{address}api/play", data={"move": "tilt w"})
    expect(says).to_contain_text("Possible instead: Tilt the western pair towards")
    page.get_by_role("button", name="Tilt the southern pair towards south").click()
    expect(page.locator(".owed")).to_contain_text("Still to be used: NW red ↓")
    assert watched.complaints == []


def test_the_host_may_let_the_referee_shuffle_and_it_stays_so(address: str, browser: Browser) -> None:
    page = Watched(browser).page
    page.goto(address)

    def another(game: str, pieces: str | None) -> str | None:
        """Begin it with these pieces (None: as the page proposes); the mode that it then has."""
        page.get_by_role("button", name="Another game").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Game").click()
        page.get_by_role("option", name=game, exact=True).click()
        expect(dialog.get_by_label("Pieces")).to_be_visible(visible=game != "IGLOO")
        if pieces is not None:
            dialog.get_by_label("Pieces").click()
            page.get_by_role("option", name=pieces).click()
        dialog.get_by_role("button", name="Begin").click()
        expect(page.get_by_role("heading", name=game, exact=True)).to_be_visible()
        options = page.request.get(f"{address}api/table").json()["view"]["options"]
        return options.get("mode")  # type: ignore[no-any-return]

    assert another("Igloo Pop", None) == "physical"
    assert another("Igloo Igloo", "None: all") == "digital"
    assert another("Ice Cult", None) == "digital"
    assert another("IGLOO", None) == "digital"
    assert another("Igloo Igloo", None) == "digital"
    assert another("Igloo Pop", None) == "physical"
    assert another("Ice Cult", None) == "physical"


def test_igloos_that_have_to_be_heard_are_always_somebodys_own(address: str, browser: Browser) -> None:
    """On screens nobody could hear them, and beside a microphone the referee's were settled by real ones."""
    page = Watched(browser).page
    page.goto(address)
    page.request.post(
        f"{address}api/new",
        data={"game": "igloo-igloo", "players": ["red", "blue"], "options": {"mode": "digital"}},
    )
    expect(page.get_by_role("heading", name="Igloo Igloo", exact=True)).to_be_visible()
    page.get_by_role("button", name="Another game").click()
    dialog = page.get_by_role("dialog")

    def offers(game: str, proposed: str, *choices: str) -> None:
        """With whose pieces it would begin, and what else could be chosen."""
        dialog.get_by_label("Game").click()
        page.get_by_role("option", name=game, exact=True).click()
        expect(page.get_by_role("option")).to_have_count(0)
        expect(dialog.get_by_label("Pieces")).to_have_value(proposed)
        dialog.get_by_label("Pieces").click()
        expect(page.get_by_role("option")).to_have_text(choices)
        page.keyboard.press("Escape")
        expect(page.get_by_role("option")).to_have_count(0)

    own, none = "Your own, on the table", "None: all is on this page"
    offers("Igloo Pop", own, own)
    offers("Ice Cult", none, own, none)
    dialog.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("heading", name="Ice Cult", exact=True)).to_be_visible()
    assert page.request.get(f"{address}api/table").json()["view"]["options"]["mode"] == "digital"


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR", "it-IT"])
def test_what_was_chosen_for_a_game_can_be_read_to_its_end_on_a_phone(
    address: str, browser: Browser, locale: str
) -> None:
    page = Watched(browser, 360, 740, locale=locale).page
    page.request.post(
        f"{address}api/new",
        data={"game": "igloo-igloo", "players": ["red", "blue"], "options": {"mode": "digital"}},
    )
    page.goto(address)
    page.get_by_role("button", name=Texts(locale[:2])["new.another"]).click()
    dialog = page.get_by_role("dialog")
    dialog.locator("[data-part=house] .q-item").first.click()
    expect(dialog.locator(".q-select").last).to_be_visible()
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.innerText)"
    chosen = dialog.locator(".q-select .q-field__native > span")
    assert chosen.count() > 3
    assert chosen.evaluate_all(cut) == []


def test_what_grounds_and_shadows_say_lines_say_where_the_system_has_the_colours(
    address: str, browser: Browser
) -> None:
    """“Begin” was a word like any other, and no piece looked chosen."""
    page = Watched(browser, forced_colors="active").page
    page.goto(address)
    new = {"game": "igloo", "players": ["A", "B"], "options": {}}
    for path, told in (
        ("new", new), ("play", {"move": "commit A red"}), ("play", {"move": "commit B blue"}),
    ):  # fmt: skip
        assert page.request.post(f"{address}api/{path}", data=told).ok

    def line(name: str) -> int:
        button = page.get_by_role("button", name=name, exact=True)
        expect(button).to_be_visible()
        return int(button.evaluate("one => parseFloat(getComputedStyle(one, '::before').borderTopWidth)"))

    assert line("Red S (5 left)") > line("Red M (5 left)") >= 1
    page.get_by_role("button", name="Another game").click()
    assert line("Begin") >= 1
    edge = "one => parseFloat(getComputedStyle(one.querySelector('.q-card')).borderTopWidth)"
    assert page.get_by_role("dialog").evaluate(edge) >= 1
    page.keyboard.press("Escape")
    assert page.request.post(f"{address}api/new", data={"game": "ice-cult", "players": ["yellow", "red"]}).ok


def test_every_colour_has_a_mark_of_its_own() -> None:
    used = [paint.mark for colour, paint in PAINTS.items() if colour != "purple"]  # purple is no player's
    assert len(set(used)) == len(used)


def test_the_page_asks_nothing_of_the_internet(address: str, browser: Browser) -> None:
    watched = Watched(browser)
    watched.page.goto(address)
    watched.page.wait_for_timeout(1500)
    assert watched.outside(address) == []


def test_cubes_that_lie_still_are_drawn_seldom_unless_somebody_looks_at_them_from_another_side(
    address: str, browser: Browser
) -> None:
    with solid(browser) as beside:
        page = Watched(beside).page
        page.request.post(f"{address}api/new", data={"game": "ice-cult", "players": ["yellow", "red"]})
        page.goto(address)
        often = "fps => getElement(Number(document.querySelector('.scene3d').id.slice(1))).fps === fps"
        page.wait_for_function(often, arg=2)
        page.locator(".scene3d").hover()
        page.wait_for_function(often, arg=20)
        page.get_by_role("heading", name="Ice Cult").hover()
        page.wait_for_function(often, arg=2)


def test_a_browser_that_draws_nothing_in_3_d_shows_the_unfolded_cubes_alone(
    address: str, browser: Browser
) -> None:
    page = Watched(browser).page
    page.request.post(f"{address}api/new", data={"game": "ice-cult", "players": ["yellow", "red"]})
    page.goto(address)
    expect(page.locator(".nets")).to_be_visible()
    expect(page.locator(".scene3d")).to_be_hidden()
