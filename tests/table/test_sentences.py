"""The referee speaks four languages: all games are played, right and wrong, and no sentence is left in English."""

from __future__ import annotations

import ast
import random
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from itertools import islice, product

import pytest

from rules import games
from rules.core.notation import unreadable
from rules.core.refusal import Refusal
from rules.ice_cult.parts import NONE_LEFT
from rules.igloo_igloo import game as igloo_igloo
from rules.looney import game as igloo
from rules.looney.options import DOUBLE_THREATS
from rules.looney.placing import HARMED
from table.games import GAMES
from table.page.sentences import pattern_of, sentences, templates
from tests.parts import ROOT, proof
from tests.seated import seated, ways

OTHERS = ("de", "fr", "it")
SPOKEN_TO_PROGRAMS = ("protocol",)  # a room of rules/ whose sentences no page shows
Table = tuple[tuple[str, ...], tuple[dict[str, object], ...]]
TABLES: dict[str, tuple[Table, ...]] = {
    "ice-cult": (
        (("yellow", "red"), ({}, {"mode": "physical"})),
        (("red", "green", "blue"), ({"length": 4},)),
    ),
    "igloo-pop": ((("red", "blue", "white"), ({}, {"mode": "physical"})),),
    "igloo-igloo": (
        (("red", "blue"), ({}, {"mode": "physical"}, {"hardcore": True})),
        (("red", "blue", "green"), ({},)),
    ),
    "igloo": ((("A", "B"), ({},)),),
}
VERBS = (
    "tilt use copy turn end correct abandon count grab return place pass unpass resolve stop deal found melt drift "
    "displace walk kayak hunt igloo thaw stamina animals step harpoon flee draws commit capture done reveal no"
)
SAYING = ("Event", "Over", "Forbidden", "Illegal", "NotNow", "Ambiguous", "Unreadable", "refusal")
WORDS = (
    "n>S s>N NW NE SE pool 1 2 3 9 cw ccw A B L red blue green white 7-8 13 9-10-11 b1 c4 d4 e5 a1 h8 N E U fox fish "
    "bear harpoon fish-2 drift S M #1 @ 0,0 40,5 ~ all"
)


def tables(game: str) -> tuple[Table, ...]:
    """At which it is listened to; a game that is not named above, as it is played if nothing is said."""
    return TABLES.get(game) or ((tuple(seated(game)), ways(game)),)


def told(
    game: str, players: tuple[str, ...], options: dict[str, object], seed: int, moves: int
) -> Iterator[str]:
    """All sentences of a game of random moves, and of moves that nobody should make."""
    rules, chance, were = GAMES[game], random.Random(seed), list[str]()
    state, events = rules.new(players, seed, options)
    yield from (event.text for event in events)
    for _ in range(moves):
        legal = list(islice(rules.moves(state), 300))
        for wrong in _wrong(legal, were, chance):
            try:
                rules.play(state, wrong, chance.choice([None, *rules.seats(state)]))
            except Refusal as refusal:
                yield refusal.text
        if not legal:
            break
        were += chance.sample(legal, min(len(legal), 5))
        state, events = rules.play(state, chance.choice(legal))
        yield from (event.text for event in events)
    over = rules.over(state)
    if over is not None:
        yield over.text


def _wrong(legal: list[str], were: list[str], chance: random.Random) -> Iterator[str]:
    """`were`: some moves that could be made before, which may be out of place by now."""
    for _ in range(3):
        yield " ".join([chance.choice(VERBS.split()), *chance.choices(WORDS.split(), k=chance.randrange(4))])
    for _ in range(4 if legal else 0):
        words = chance.choice(legal).split()
        words[chance.randrange(len(words))] = chance.choice(WORDS.split())
        yield " ".join(words)
    if were:
        yield chance.choice(were)


@pytest.mark.parametrize("game", games.NAMES)
def test_no_sentence_of_any_game_is_left_in_english(game: str) -> None:
    heard = set[str]()
    for players, several in tables(game):
        for options in several:
            for seed in range(proof(1, 20)):
                heard |= set(told(game, players, options, seed, proof(90, 400)))
    german = sentences("de")
    unknown = sorted(text for text in heard if not german.known(text))
    assert not unknown, f"{game}: in table/page/sentences/de.toml is nothing for\n" + "\n".join(unknown)
    for language in OTHERS:  # the catalogues have the same templates, see below; here they are filled
        say = sentences(language)
        same = [text for text in sorted(heard)[:: proof(40, 1)] if say(text) == text and " " in text]
        assert not same, f"{game}: the same in {language}\n" + "\n".join(same)
    if game in TABLES:
        assert len(heard) > 400, "hardly anything was said"


def test_every_piece_of_a_sentence_in_the_rules_stands_in_the_catalogue() -> None:
    """A new sentence, even one that is hardly ever said, needs its translation."""
    known = " ".join(template.replace("…", "") for template, _, _ in templates("de"))
    known = re.sub(r"\{\w+\}", "\0", known)
    missing = [
        f"{path.parent.name}/{path.name}: {piece!r}"
        for path in sorted((ROOT / "rules").glob("*/*.py"))
        if path.parent.name not in SPOKEN_TO_PROGRAMS
        for piece in _said_in(path.read_text())
        if piece not in known
    ]
    assert not missing, "in table/page/sentences/de.toml is nothing for\n" + "\n".join(missing)


@pytest.mark.parametrize("game", ["ice_cult", "igloo_pop", "igloo_igloo", "looney"])
def test_how_a_move_is_written_is_told_in_every_language_too(game: str) -> None:
    """An example that is more than a move has words between moves, and would pass as one of them."""
    notation = import_module(f"rules.{game}.notation")
    for language, (verb, how) in product(OTHERS, notation.EXAMPLES.items()):
        refused = unreadable(f"{verb} zz", notation.VERBS, notation.EXAMPLES).text
        assert refused.endswith(f": it is written {how}")
        said = sentences(language)(refused)
        if notation.parse(how) is not None:
            assert said.endswith(f" {how}")
        else:
            assert not re.search(rf"{re.escape(how)}|\b(or|and|the|to)\b", said), said


def test_why_a_kind_of_move_is_closed_is_said_in_every_language() -> None:
    closed = [
        *igloo_igloo.PHASE_RULES.values(), *igloo_igloo.EFFECT_RULES.values(), *igloo.PHASE_RULES.values(),
        *igloo.SECRET_RULES.values(), igloo.NOTHING_OPEN, igloo.NO_WINDOW, igloo.COMPULSORY,
    ]  # fmt: skip
    assert [text for language in OTHERS for _, text in closed if not sentences(language).known(text)] == []


def test_what_is_told_by_an_option_or_by_a_verb_is_said_in_every_language() -> None:
    assert set(HARMED) == set(DOUBLE_THREATS)
    listed = [*HARMED.values(), *NONE_LEFT.values()]
    assert [text for language in OTHERS for text in listed if not sentences(language).known(text)] == []


def _said_in(source: str) -> Iterator[str]:
    """The literal pieces, three words or more, of what is told or refused."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        if node.func.id not in SAYING:
            continue
        for argument in node.args:
            for part in ast.walk(argument):
                if (
                    isinstance(part, ast.Constant)
                    and isinstance(part.value, str)
                    and len(part.value.split()) > 2
                ):
                    yield part.value.strip(" ;:,()'")


@pytest.mark.parametrize("language", OTHERS)
def test_the_catalogues_have_the_same_sentences_and_each_uses_only_places_it_has(language: str) -> None:
    read = {
        name: tomllib.loads(files("table.page.sentences").joinpath(f"{name}.toml").read_text("utf-8"))
        for name in ("de", language)
    }
    assert list(read[language]) == list(read["de"])
    place = re.compile(r"\{\w+\}")
    for template, translation in read[language].items():
        assert set(place.findall(translation)) <= set(place.findall(template)), template
        assert template.startswith("…") == translation.startswith("…")
        pattern_of(template)


@pytest.mark.parametrize(
    ("said", "language", "shown"),
    [
        ("red takes igloo A, and has not passed any more", "de", "Rot nimmt Iglu A und hat nicht mehr gepasst"),
        ("yellow moves red from the pool to N1 (the circle on SE copies NW)", "fr",
         "Jaune déplace Rouge de la position de départ à N1 (le cercle de SE copie NW)"),
        ("yellow moves red from the pool to N1", "it", "Giallo muove Rosso dalla posizione di partenza a N1"),
        ("yellow moves red from the pool home", "de", "Gelb zieht Rot von der Startposition ins Ziel"),
        ("red>N on NW and circle on SE can still be used, and may not be left", "it",
         "Rosso ↑ su NW e cerchio su SE: si può ancora usare e non si può ignorare"),
        ("The northern pair was tilted to the south. Tilt n>S would undo the first tilt, n>N", "de",
         "Das Paar im Norden wurde nach Süden gekippt. tilt n>S würde den ersten Kippzug n>N rückgängig machen"),
        ("card 3 (7-8) carries 7 of red, 9 of blue: red wins the card (2) and captures 1", "fr",
         "la carte 3 (7-8) porte 7 de Rouge, 9 de Bleu : Rouge gagne la carte (2) et capture 1"),
        ("Put it back: tilt the southern pair to the east; turn NE clockwise.", "fr",
         "Remets en place : bascule la paire sud côté est; tourne NE dans le sens horaire."),
        ("there is no #2 on E1 (pawns there: 1)", "it", "su E1 la numero 2 non c’è (pedine su quella casella: 1)"),
        ("W1#1 is red, and the arrow is green", "fr", "W1#1 est de couleur Rouge, et la flèche de couleur Vert"),
        ("too few action points: that takes 2, and the turn has 1 left", "de",
         "zu wenige Aktionspunkte: das kostet 2, und der Zug hat noch 1"),
        ("nobody ever said this", "de", "nobody ever said this"),
    ],
)  # fmt: skip
def test_sentences_are_said_whole(said: str, language: str, shown: str) -> None:
    assert sentences(language)(said) == shown
