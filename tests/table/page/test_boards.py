"""What the boards of the page draw: a turn in words, animals beside each other, what may be tapped, secret moments."""

from __future__ import annotations

import math
import re
from types import SimpleNamespace
from typing import Any

import pytest

from sensors.ear.verdicts.mends import IN_ROOM
from sensors.evidence import Heard
from table.desk.said import Said, corrected
from table.games import GAMES
from table.page import ice_cult_board, igloo_igloo_board, igloo_pop_board, looney_board, tokens_asked
from table.page.chairs import Chairs
from table.page.panel import Panel
from table.page.panel_ice_cult import IceCultPanel
from table.page.panel_igloo_pop import IglooPopPanel
from table.page.panel_looney import LooneyPanel
from table.page.panel_plain import IglooIglooPanel
from table.page.says import said_list, sentence
from table.page.sentences import sentences
from table.page.texts import LANGUAGES, Texts
from table.room.table_room import TableRoom
from tests.table.rooms import room as quiet_room

ENGLISH = Texts("en")


def a_view(**more: Any) -> dict[str, Any]:
    rules = GAMES["igloo-igloo"]
    return rules.view(rules.new(("red", "blue"), 1, {"mode": "digital"})[0], None) | more


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "Place an Inuit on the outer ring"),
        ({"phase": "pre-melt"}, "Melt a tile of ice"),
        ({"phase": "action", "ap": 2}, "Action points left: 2"),
        (
            {"phase": "animals", "ap": 3, "pending": {"points": 2}},
            "Steps left for the animals: 2 · Action points left: 3",
        ),
        ({"phase": "attack", "ap": 1}, "A bear attacks · Action points left: 1"),
        ({"phase": "over", "over": {}, "to_act": []}, ""),
    ],
)
def test_the_page_says_what_a_turn_needs(more: dict[str, Any], said: str) -> None:
    view = a_view(**more)
    assert igloo_igloo_board.turn(view, ENGLISH).replace("\u00a0", " ") == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phase_has_its_words(language: str) -> None:
    phases = ("place", "pre-melt", "drift", "displace", "draws", "action", "animals", "attack", "flee")
    said = {igloo_igloo_board.turn(a_view(phase=phase, ap=0), Texts(language)) for phase in phases}
    assert len(said) == len(phases)


def test_prey_and_what_is_left_are_open_and_a_hand_is_not() -> None:
    view = a_view(
        prey={"red": {"fish": [3, 1], "foxes": [2], "bears": 2}, "blue": {"fish": [], "foxes": [], "bears": 0}},
        reserve={"red": {"inuits": 0, "igloos": 1}, "blue": {"inuits": 4, "igloos": 2}},
        hands={"red": ["thaw", "harpoon"], "blue": []},
    )  # fmt: skip
    shown = igloo_igloo_board.players(view, "blue", ENGLISH, {"red": 20.5, "blue": 0}).replace("\u00a0", " ")
    red, blue = (re.sub("<[^>]*>", " ", line) for line in shown.split("</li>")[:2])
    assert "tiles in hand: 2 · hunted: 14 (fish 1, 3; fox 2; bear × 2) · igloos left: 1" in red
    assert "points so far: 20.5" in red
    assert "thaw" not in red
    assert "igloos left: 2 · Inuits left: 4" in blue
    assert "thaw" in igloo_igloo_board.players(view, "red", ENGLISH)


def test_igloo_pops_points_are_those_that_win() -> None:
    """IP-11: at the beginning everybody has ten, and after that what the referee's score says."""
    rules = GAMES["igloo-pop"]
    state = rules.new(("red", "blue"), 1, {})[0]
    begun = igloo_pop_board.players(rules.view(state, None), ENGLISH)
    assert begun.replace("\u00a0", " ").count("cards: 0 · points: 10") == 2
    told = rules.to_json(state) | {"won": {"red": [[6], [7, 8]], "blue": []}, "box": 4}
    told["talers"] = {"red": {"own": 7, "captured": 2}, "blue": {"own": 7, "captured": 0}}
    told["table"] = [None if card in ([6], [7, 8]) else card for card in told["table"]]
    told["deck"] = [card for card in told["deck"] if card not in ([6], [7, 8])]
    state = rules.setup(told, 1)
    shown = igloo_pop_board.players(rules.view(state, None), ENGLISH).replace("\u00a0", " ")
    red, blue = shown.split("</li>")[:2]
    scores = rules.score(state)[0]
    assert scores == {"red": 14, "blue": 7}
    assert "points: 14" in red
    assert "points: 7" in blue


def boxes(svg: str) -> list[tuple[float, float, float, float]]:
    """Where each fish lies in its square of 100: left, top, right, bottom."""
    found = re.findall(r'translate\(([-\d.]+) ([-\d.]+)\)(?: scale\(([\d.]+)\))?" class="animal"', svg)
    places = [(float(x), float(y), float(scale or 1)) for x, y, scale in found]
    return [(x - 17 * s, y - 14 * s, x + 24 * s, y + 14 * s) for x, y, s in places]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 12, 28])
def test_fish_of_one_square_neither_cover_each_other_nor_hang_over_its_edge(count: int) -> None:
    view = a_view(fish={"d4": [1 + k % 3 for k in range(count)]})
    lie = boxes(igloo_igloo_board.board(view, ENGLISH))
    assert len(lie) == count
    for k, (left, top, right, bottom) in enumerate(lie):
        assert 0 <= left < right <= 100
        assert 0 <= top < bottom <= 100
        for other in lie[:k]:
            apart = max(left - other[2], other[0] - right, top - other[3], other[1] - bottom)
            assert apart > 0, (lie[k], other)


def test_animals_leave_room_for_the_igloo_and_the_inuits_of_their_square() -> None:
    view = a_view(fish={}, foxes={"b2": [3]}, igloos={"b2": "red"}, inuits={"b2": ["red"]})
    ((left, top, right, bottom),) = boxes(igloo_igloo_board.board(view, ENGLISH))
    assert math.hypot(max(0, left - 50, 50 - right), max(0, top - 44, 44 - bottom)) > 5  # whose igloo it is
    assert bottom < 66  # where people stand


def test_a_token_of_several_may_be_any_that_some_legal_order_has() -> None:
    legal = ["draws 1 1", "draws 1 3", "draws 2 3"]
    assert tokens_asked.next_values(legal, ()) == ["1", "2", "3"]
    assert tokens_asked.next_values(legal, ("3",)) == ["1", "2"]
    assert tokens_asked.next_values(legal, ("1",)) == ["1", "3"]
    assert tokens_asked.whole(legal, ("3",)) is None
    assert tokens_asked.whole(legal, ("3", "1")) == "draws 1 3"
    assert (
        tokens_asked.whole(["draws 1 3", "draws 3 1"], ("3", "1")) == "draws 3 1"
    )  # at the set-up the order matters


def test_land_and_ice_that_can_be_reached_are_marked_alike() -> None:
    svg = igloo_igloo_board.board(a_view(), ENGLISH, ["walk b1 a1", "walk b1 c1"])
    marked = [part for part in svg.split("<g transform")[1:] if "data-moves" in part]
    assert [(part.count('class="reach"'), part.count("tabindex")) for part in marked] == [(1, 1)] * 2
    assert svg.count('class="reach"') == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_side_of_the_board_has_the_letter_by_which_sentences_and_buttons_name_it(language: str) -> None:
    rules = GAMES["ice-cult"]
    view = rules.view(rules.new(("yellow", "red"), 1, {})[0], None)
    svg = ice_cult_board.board(view, Texts(language))
    assert sorted(re.findall(r'class="side"[^>]*>([^<]*)<', svg)) == ["E", "N", "S", "W"]
    told = sentences(language)("red moves blue from E1 to W2")
    assert "E1" in told
    assert "W2" in told


@pytest.fixture
def room() -> TableRoom:
    return quiet_room()


def panel(kind: type[Panel], room: TableRoom, game: str, players: list[str], mode: str = "physical") -> Panel:
    room.new_game(game, players, {} if game in ("igloo", "ice-cult") else {"mode": mode})
    return kind(room, game, ENGLISH, Chairs(room, None, None, "", "this browser"))


def hint(panel: Panel) -> list[str]:
    return [offer.words for offer in panel._secret()]


def test_a_host_is_told_why_only_a_seat_may_move(room: TableRoom) -> None:
    igloo = panel(LooneyPanel, room, "igloo", ["A", "B"])
    assert igloo.legal() == []
    assert hint(igloo) == ["Choose in secret: take a seat."]
    room.desk.play("commit A red", "A")
    room.desk.play("commit B blue", "B")
    assert hint(igloo) == []  # from now on he may move for everybody
    assert igloo.legal()
    digital = panel(IglooIglooPanel, room, "igloo-igloo", ["red", "blue"], "digital")
    assert hint(digital) == ["Hands are hidden here: take a seat to play."]  # the first move is made openly
    digital.chairs.sit("igloo-igloo", "red")
    assert hint(digital) == []
    assert digital.legal()
    assert hint(panel(IglooIglooPanel, room, "igloo-igloo", ["red", "blue"])) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_put_right_is_told_as_buttons_call_it(language: str, room: TableRoom) -> None:
    room.new_game("ice-cult", ["yellow", "red"], {})
    cult = IceCultPanel(room, "ice-cult", Texts(language), Chairs(room, None, None, "", "this browser"))
    north, south, end = (cult.words(move) for move in ("tilt n>S", "tilt s>N", "end"))
    told = cult.say(corrected(0, "tilt s>N", "tilt n>S", ["tilt n>S", *["end"] * 6]))
    assert 0 < told.index(south) < told.index(north)
    assert f": {north}; {end}; {end}" in told.replace("\u00a0", " ")
    assert told.endswith(", ….")
    assert cult.say(corrected(0, "end", "end", [])).count(end) == 1
    assert north in cult.say("Taken back: “tilt n>S”, by host.")
    assert Texts(language)["accord.end"] in cult.say("Taken back: “abandon”, by host.")
    assert north in cult.say("It was the move “tilt n>S”")
    assert ">" not in told
    cube = cult.words("correct NW A U N")
    assert "correct" not in cube
    assert all(part in cube.split() or f"{part}:" in cube.split() for part in ("NW", "A", "U", "N"))
    assert cube in cult.say("Taken back: “correct NW A U N”, by host.")
    # what somebody typed is said as it was typed
    assert "tilt n>N" in cult.say("no legal move fits 'tilt n>N' now")


def test_another_seats_move_is_not_told_as_ones_own(room: TableRoom) -> None:
    pop = panel(IglooPopPanel, room, "igloo-pop", ["red", "blue"])
    pop.chairs.sit("igloo-pop", "red")
    assert pop.words("return red") == ENGLISH["hand.put_back"]
    assert pop.words("return blue") == "Blue puts it back"
    assert pop.words("pass blue") == "Blue passes"


@pytest.mark.parametrize(
    ("seat", "held", "told"),
    [
        ("red", {"red": "A", "blue": "B"}, "Red shakes igloo A"),
        (
            "table",
            {"blue": "B"},
            "Blue shakes igloo B",
        ),  # one microphone hears for whoever alone holds one
        ("table", {"red": "A", "blue": "B"}, "No igloo is being shaken"),
        ("table", {}, "No igloo is being shaken"),
        ("red", {"blue": "B"}, "No igloo is being shaken"),
        (None, {"blue": "B"}, "No igloo is being shaken"),
    ],
)
def test_the_page_says_who_shakes_which_igloo(
    room: TableRoom, seat: str | None, held: dict[str, str], told: str
) -> None:
    pop = panel(IglooPopPanel, room, "igloo-pop", ["red", "blue"])
    cards = ["5", "7-8", "9-10-11", "2", "3-4", "6", "12-13", "4-5-6", "11-12-13"]
    grabs = [f"grab {who} {letter}" for who, letter in held.items()]
    for move in [*(f"deal {slot} {card}" for slot, card in enumerate(cards, 1)), "count", *grabs]:
        assert room.desk.play(move)
    shown = re.sub("<svg.*?</svg>", "", pop._shaken(*pop._in_hand(seat))).strip()
    assert re.sub("<[^>]*>", "", shown).strip() == told


@pytest.mark.parametrize(("seat", "shown"), [("red", True), ("table", True), ("yellow", False)])
def test_the_page_tells_no_fault_of_a_microphone_whose_seat_is_not_in_the_game(
    room: TableRoom, seat: str, shown: bool
) -> None:
    pop, drawn = panel(IglooPopPanel, room, "igloo-pop", ["red", "blue"]), list[str]()
    pop._fault = SimpleNamespace(show=drawn.append)  # type: ignore[assignment]
    overdriven = Heard("one", 0.0, 2.0, "unsure", {7: 1.0}, 30.0, True, "", IN_ROOM.overdriven, 1.7)
    room.ear.hear(seat, "one", overdriven)
    pop._draw_fault()
    assert ["overdriven" in one for one in drawn] == [shown]


def test_a_board_is_described_in_the_pages_language(room: TableRoom) -> None:
    view = room.desk.view(None) | {"tops": {"NW": "red>E", "NE": "arc", "SE": "circle", "SW": None}}
    words = ice_cult_board.describe(view, Texts("de"))
    assert "NW Rot E, NE Bogen, SE Kreis, SW nichts Bekanntes" in words


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_that_stays_english_is_read_out_as_english(language: str) -> None:
    disk, turn = "PT-601: the disk is full", "Yellow begins."
    say = sentences(language)
    assert say(disk) == disk
    for text, foreign in ((disk, language != "en"), (turn, False)):
        said = Said(0.0, "told", "note", text)
        for shown in (sentence(said, say, language=language), said_list([said], say, language)):
            assert (' lang="en"' in shown) is foreign


def test_a_card_that_can_be_tapped_is_called_by_what_stands_on_it_too(room: TableRoom) -> None:
    """What is within a button is not read out, and it is the igloos that are asked about."""
    room.new_game("igloo-pop", ["red", "blue"], {})
    view = room.desk.view(None)
    view["table"] = [[5], *[None] * 8]
    view["igloos"]["A"] = {"at": "card", "slot": 1, "by": "red"}
    names = [
        re.findall('aria-label="([^"]+)"', igloo_pop_board.ring(view, ENGLISH, moves))[1]
        for moves in ((), ("found 1 5 red",))
    ]
    assert names[1].startswith(f"{names[0]}, igloo A")
    assert "Red" in names[1]


def test_the_numbers_of_many_pieces_can_be_read_on_a_phone() -> None:
    """Every sentence names pieces by number alone; with 46 of them a number was five pixels high."""
    pieces = [
        {"id": n, "colour": "red", "size": "S", "x": n % 7 * 40, "y": n // 7 * 40} for n in range(1, 47)
    ]
    view = {"pieces": pieces, "links": [], "open": [], "options": {"widths": "standard"}}
    svg = looney_board.board(view, ENGLISH)
    width = float(re.findall(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+)', svg)[0])
    height = float(re.findall(r'class="number" font-size="([\d.]+)"', svg)[0])
    assert height * 350 / width > 10
    assert height * 1.2 < 18
