"""An Igloo Pop position as JSON. `setup` reads it."""

from __future__ import annotations

import copy
from typing import Any

from rules.core.game import Option
from rules.core.position import write_options
from rules.core.reading import Reader
from rules.core.refusal import PositionError

from .deck import Card, deck
from .state import (
    COLOURS,
    COUNTDOWN,
    LETTERS,
    ON_CARD,
    OVER,
    RESOLVING,
    SHAKING,
    VILLAGE,
    Setting,
    State,
    to_act,
)

PHASES = (COUNTDOWN, SHAKING, RESOLVING, OVER)
OPTIONS = (
    Option(
        "mode",
        "digital",
        "digital or physical",
        "physical: real cards and igloos; what is dealt and found is reported",
        ("digital", "physical"),
    ),
    Option(
        "deck",
        "assumed-v1",
        "the name of a deck, or a deck as an object",
        "which numbers the 33 cards bear (D-1)",
    ),
    Option(
        "own_wrong_taler",
        "box",
        "box, back or captured",
        "what becomes of a winner's own taler on a wrong igloo of the same card (D-3)",
        ("box", "back", "captured"),
    ),
)
KEYS = (
    "game", "players", "to_act", "phase", "over", "round", "last_round", "empty_rounds", "table", "deck", "won",
    "talers", "box", "igloos", "values", "passed", "stopped", "options", "chance",
)  # fmt: skip


def read_setting(read: Reader, players: Any, options: Any) -> Setting:
    """Players and options; reports every defect."""
    seated = read.seated(players, COLOURS, 2, 6)
    chosen = read.options(options, OPTIONS)
    cards: tuple[Card, ...] = ()
    try:
        cards = deck(chosen["deck"])
    except PositionError as wrong:
        for defect in wrong.defects:
            read.say(defect)
    physical = chosen["mode"] == "physical"
    return Setting(seated, copy.deepcopy(chosen), cards, physical, chosen["own_wrong_taler"])


def write(state: State, *, hidden: bool) -> dict[str, Any]:
    """The position as in docs/contracts.md; without `hidden` as everybody may see it (IP-13: all see the same)."""
    setting, players = state.setting, state.setting.players
    seen = setting.physical and state.phase == RESOLVING  # turned-over and reported igloos are open
    values = {
        letter: (value or None) if hidden or (seen and at >= ON_CARD) else None
        for letter, value, at in zip(LETTERS, state.values, state.where, strict=True)
    }
    out: dict[str, Any] = {
        "game": "igloo-pop",
        "players": list(players),
        "to_act": list(to_act(state)),
        "phase": state.phase,
        "over": state.over.to_json() if state.over else None,
        "round": state.round,
        "last_round": state.last_round,
        "empty_rounds": state.empty_rounds,
        "table": [list(card) if card else None for card in state.table],
        "deck": [list(card) if card and hidden else None for card in state.deck],
        "won": {name: [list(card) for card in state.won[k]] for k, name in enumerate(players)},
        "talers": {
            name: {"own": state.own[k], "captured": state.captured[k]} for k, name in enumerate(players)
        },
        "box": state.box,
        "igloos": {letter: _place(at, players) for letter, at in zip(LETTERS, state.where, strict=True)},
        "values": values,
        "passed": [name for k, name in enumerate(players) if state.passed >> k & 1],
        "stopped": [name for k, name in enumerate(players) if state.stopped >> k & 1],
        "options": write_options(setting.options),
    }
    if hidden:
        out["chance"] = str(state.chance)
    return out


def _place(at: int, players: tuple[str, ...]) -> dict[str, Any]:
    if at == VILLAGE:
        return {"at": "village"}
    if at < ON_CARD:
        return {"at": "hand", "by": players[at]}
    return {"at": "card", "slot": at // ON_CARD, "by": players[at % ON_CARD]}
