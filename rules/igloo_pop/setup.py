"""Reads an Igloo Pop position that somebody wrote, and reports all its defects at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rules.core.position import read_chance, read_over
from rules.core.reading import Reader

from .deck import CARDS, MOST, Card, read_card, written
from .position import KEYS, PHASES, read_setting
from .resolving import outcome
from .state import (
    COUNTDOWN,
    LETTERS,
    ON_CARD,
    OVER,
    RESOLVING,
    SHAKING,
    SLOTS,
    TALERS,
    VILLAGE,
    Setting,
    State,
    shaking_ended,
    to_act,
)


def read_state(position: Mapping[str, Any], seed: int) -> State:
    """The position as a state. Raises PositionError with all its defects."""
    read = Reader()
    read.keys(position, KEYS, "the position")
    setting = read_setting(read, position.get("players"), position.get("options"))
    players = setting.players
    over = read_over(read, position.get("over"), players)
    table = _table(read, position.get("table"))
    where = _igloos(read, position.get("igloos"), players, table)
    guess = OVER if over else SHAKING if any(at != VILLAGE for at in where) else COUNTDOWN
    phase = read.one_of(position.get("phase"), PHASES, "phase", guess) or guess
    own, captured = _talers(read, position.get("talers"), setting)
    state = State(
        setting=setting,
        phase=phase,
        round=read.whole(position.get("round"), "round", 1, 10**6, 1),
        last_round=read.flag(position.get("last_round"), "last_round"),
        empty_rounds=read.whole(position.get("empty_rounds"), "empty_rounds", 0, 10**6),
        table=table,
        deck=_cards(read, position.get("deck"), "deck"),
        won=_won(read, position.get("won"), players),
        own=own,
        captured=captured,
        box=read.whole(position.get("box"), "box", 0, TALERS * len(players)),
        where=where,
        values=_values(read, position.get("values")),
        passed=_players(read, position.get("passed"), players, "passed"),
        stopped=_players(read, position.get("stopped"), players, "stopped"),
        over=over,
        chance=read_chance(read, position.get("chance"), seed),
    )
    _check_cards(read, state)
    _check_talers(read, state)
    _check_phase(read, state, position.get("to_act"))
    read.finish()
    return _ended(read, state) if phase == OVER else state


def _ended(read: Reader, state: State) -> State:
    """The winners follow from cards and talers (IP-11, IP-12); given ones must agree."""
    counted = outcome(state, "IP-10")
    over = state.over
    if over is None:
        return state._replace(over=counted)
    if set(over.winners) != set(counted.winners) or over.scores not in (None, counted.scores):
        read.say(f"over does not agree with cards and talers: {counted.text}")
        read.finish()
    return state


def _table(read: Reader, value: Any) -> tuple[Card | None, ...]:
    given = _cards(read, value, "table")
    if given and len(given) != SLOTS:
        read.say(f"table has {len(given)} slots, and the ring has {SLOTS}")
    return (*given, *(None,) * SLOTS)[:SLOTS]


def _cards(read: Reader, value: Any, where: str) -> tuple[Card | None, ...]:
    return tuple(
        None if entry is None else read_card(read, entry, f"{where}[{k}]")
        for k, entry in enumerate(read.items(value, where)[: 2 * CARDS], 1)
    )


def _won(read: Reader, value: Any, players: tuple[str, ...]) -> tuple[tuple[Card, ...], ...]:
    given = read.mapping(value, "won")
    read.keys(given, players, "won")
    out = []
    for name in players:
        cards = [
            read_card(read, card, f"won.{name}[{k}]")
            for k, card in enumerate(read.items(given.get(name), f"won.{name}"), 1)
        ]
        out.append(tuple(card for card in cards if card))
    return tuple(out)


def _talers(read: Reader, value: Any, setting: Setting) -> tuple[tuple[int, ...], tuple[int, ...]]:
    players = setting.players
    # a player's own wrong talers may be among those that he captured (D-3)
    most = TALERS * (len(players) if setting.own_wrong_taler == "captured" else len(players) - 1)
    given = read.mapping(value, "talers")
    read.keys(given, players, "talers")
    own, captured = [], []
    for name in players:
        one = read.mapping(given.get(name), f"talers.{name}")
        read.keys(one, ("own", "captured"), f"talers.{name}")
        own.append(read.whole(one.get("own"), f"talers.{name}.own", 0, TALERS))
        captured.append(read.whole(one.get("captured"), f"talers.{name}.captured", 0, most))
    return tuple(own), tuple(captured)


def _igloos(
    read: Reader, value: Any, players: tuple[str, ...], table: tuple[Card | None, ...]
) -> tuple[int, ...]:
    given = read.mapping(value, "igloos")
    read.keys(given, LETTERS, "igloos")
    out: list[int] = []
    for letter in LETTERS:
        where = f"igloos.{letter}"
        one = read.mapping(given.get(letter), where)
        at = read.one_of(one.get("at"), ("village", "hand", "card"), f"{where}.at", "village")
        read.keys(
            one,
            {"village": ("at",), "hand": ("at", "by"), "card": ("at", "slot", "by")}[at or "village"],
            where,
        )
        if at == "village" or at is None:
            out.append(VILLAGE)
            continue
        by = read.one_of(one.get("by"), players, f"{where}.by")
        if by is None:
            if one.get("by") is None:
                read.say(f"{where} does not say by whom")
            out.append(VILLAGE)
            continue
        player = players.index(by)
        if at == "hand":
            if player in out:
                read.say(f"{by} holds two igloos, {LETTERS[out.index(player)]} and {letter}")
            out.append(player)
            continue
        slot = read.whole(one.get("slot"), f"{where}.slot", 1, SLOTS)
        if one.get("slot") is None:
            read.say(f"{where} does not say on which slot")
        if slot and table[slot - 1] is None:
            read.say(f"igloo {letter} stands on slot {slot}, where no card lies")
        out.append(ON_CARD * slot + player if slot else VILLAGE)
    return tuple(out)


def _values(read: Reader, value: Any) -> tuple[int, ...]:
    given = read.mapping(value, "values")
    read.keys(given, LETTERS, "values")
    out: list[int] = []
    for letter in LETTERS:
        beads = read.whole(given.get(letter), f"values.{letter}", 2, MOST)
        if beads and beads in out:
            read.say(f"igloos {LETTERS[out.index(beads)]} and {letter} both hold {beads}")
        out.append(beads)
    return tuple(out)


def _players(read: Reader, value: Any, players: tuple[str, ...], where: str) -> int:
    return sum(1 << players.index(name) for name in read.several_of(value, players, where))


def _check_cards(read: Reader, state: State) -> None:
    """Each card once, and no more cards than exist."""
    if not state.setting.deck:
        return
    seen = Counter(card for card in (*state.table, *state.deck) if card)
    seen.update(card for cards in state.won for card in cards)
    have = Counter(state.setting.deck)
    for card, times in sorted(seen.items()):
        if not have[card]:
            read.say(f"the deck has no card {written(card)}")
        elif times > have[card]:
            read.say(f"card {written(card)} is there {times} times, and the deck has {have[card]}")
    total = sum(seen.values()) + sum(card is None for card in state.deck)
    if total > len(state.setting.deck):
        read.say(f"there are {total} cards, and the deck has {len(state.setting.deck)}")


def _check_talers(read: Reader, state: State) -> None:
    """IP-1: ten talers of each colour; captured ones are others', and one's own wrong ones where so agreed (D-3)."""
    players, own_too = state.setting.players, state.setting.own_wrong_taler == "captured"
    staked = [sum(at >= ON_CARD and at % ON_CARD == k for at in state.where) for k in range(len(players))]
    for k, name in enumerate(players):
        if state.own[k] + staked[k] > TALERS:
            read.say(f"{name} has {state.own[k]} talers and {staked[k]} on cards, and {TALERS} in all")
        away = sum(TALERS - state.own[q] - staked[q] for q in range(len(players)) if own_too or q != k)
        if state.captured[k] > max(0, away):
            who = "all players miss" if own_too else "the others miss"
            read.say(f"{name} has captured {state.captured[k]} talers, and {who} {away}")
    total = sum(state.own) + sum(state.captured) + state.box + sum(staked)
    if total > TALERS * len(players):
        read.say(f"there are {total} talers, and {len(players)} players have {TALERS * len(players)}")


def _check_phase(read: Reader, state: State, acting: Any) -> None:
    players, phase = state.setting.players, state.phase
    if state.over is not None and phase != OVER:
        read.say(f"over is given, and phase is {phase}")
    if phase in (COUNTDOWN, OVER) and any(at != VILLAGE for at in state.where):
        read.say(f"phase is {phase}, and not all igloos are in the village")
    if phase == RESOLVING and any(0 <= at < ON_CARD for at in state.where):
        read.say("phase is resolving, and an igloo is in a hand")
    if phase == SHAKING and shaking_ended(state):
        read.say("phase is shaking, and nobody can or will place any more: it is resolving (IP-7)")
    if phase != SHAKING and state.passed and phase != RESOLVING:
        read.say(f"phase is {phase}, and somebody has passed")
    if state.stopped and (phase != COUNTDOWN or state.empty_rounds < 2):
        read.say("somebody wishes to stop, which is said between rounds after two empty ones (D-13)")
    if acting is not None:
        named = read.several_of(acting, players, "to_act")
        if set(named) != set(to_act(state)):
            read.say(f"to_act is {list(named)}, and {list(to_act(state))} can act")
