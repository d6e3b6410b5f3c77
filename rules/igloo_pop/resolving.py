"""The end of a round (IP-8, IP-9) and of the game (IP-10), and everybody's points (IP-11, IP-12)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from rules.core.game import Event, Over
from rules.core.refusal import Forbidden

from .deck import Card, points, written
from .shaking import Done, settled
from .state import (
    COUNTDOWN,
    LETTERS,
    OVER,
    RESOLVING,
    SLOTS,
    VALUES,
    VILLAGE,
    State,
    placed,
    to_be_dealt,
    unseen,
)


class Settled(NamedTuple):
    """The outcome for one card: its winner (None: it stays), and for each player the talers that move."""

    winner: int | None
    back: tuple[int, ...]
    captured: tuple[int, ...]
    box: int


def settle(card: Card, igloos: Iterable[tuple[int, int]], players: int, own_wrong: str = "box") -> Settled:
    """IP-8 for one card; `igloos`: the value of each, and the player whose taler it carries."""
    right = [(value, player) for value, player in igloos if value in card]
    wrong = [player for value, player in igloos if value not in card]
    back, captured, box = [0] * players, [0] * players, 0
    if not right:
        return Settled(None, tuple(back), tuple(captured), len(wrong))  # D-2
    winner = max(right)[1]  # D-4: the highest right one
    for _, player in right:
        back[player] += 1
    for player in wrong:
        if player != winner or own_wrong == "captured":
            captured[winner] += 1
        elif own_wrong == "back":
            back[winner] += 1
        else:
            box += 1  # D-3
    return Settled(winner, tuple(back), tuple(captured), box)


def resolve(state: State) -> Done:
    """Resolves all cards with igloos on them, in the order of their slots (D-11); then the round ends."""
    if state.phase != RESOLVING:
        raise Forbidden("IP-8", "the cards are checked when the shaking has ended")
    state = _turned_over(state)
    events: list[Event] = []
    standing: dict[int, list[int]] = {}
    for igloo, slot, _ in placed(state):
        standing.setdefault(slot, []).append(igloo)
    for slot in sorted(standing):
        state, event = _check(state, slot, standing[slot])
        events.append(event)
    empty = 0 if standing else state.empty_rounds + 1
    if not standing:
        events.append(Event("nothing-placed", "IP-8", "no igloo stands on a card"))
    state = state._replace(empty_rounds=empty, where=(VILLAGE,) * len(LETTERS), passed=0)
    return _round_end(state, events)


def _turned_over(state: State) -> State:
    """With the value of every igloo on a card; in physical play these are reported before."""
    state = settled(state, [igloo for igloo, _, _ in placed(state)])
    slots = sorted({slot + 1 for igloo, slot, _ in placed(state) if not state.values[igloo]})
    if slots:
        cards = ", ".join(map(str, slots))
        raise Forbidden("IP-14", f"igloos on card {cards} are not turned over yet: report them with found")
    return state


def _check(state: State, slot: int, igloos: list[int]) -> tuple[State, Event]:
    players, card = state.setting.players, state.table[slot]
    assert card is not None
    marks = [(state.values[igloo], state.where[igloo] % 10) for igloo in igloos]
    settled = settle(card, marks, len(players), state.setting.own_wrong_taler)
    shown = ", ".join(f"{value} of {players[player]}" for value, player in sorted(marks))
    text = f"card {slot + 1} ({written(card)}) carries {shown}: "
    table, won = state.table, state.won
    if settled.winner is None:
        text += f"none is right, {settled.box} to the box, the card stays"
    else:
        w = settled.winner
        table = (*table[:slot], None, *table[slot + 1 :])
        won = (*won[:w], (*won[w], card), *won[w + 1 :])
        text += f"{players[w]} wins the card ({points(card)})"
        if settled.captured[w]:
            text += f" and captures {settled.captured[w]}"
        if settled.box:
            text += f"; {settled.box} to the box"
    new = state._replace(
        table=table,
        won=won,
        own=tuple(map(sum, zip(state.own, settled.back, strict=True))),
        captured=tuple(map(sum, zip(state.captured, settled.captured, strict=True))),
        box=state.box + settled.box,
    )
    data = {
        "slot": slot + 1,
        "card": list(card),
        "igloos": [{"value": value, "by": players[player]} for value, player in sorted(marks)],
        "winner": None if settled.winner is None else players[settled.winner],
    }
    return new, Event("checked", "IP-8", text, None, data)


def _round_end(state: State, events: list[Event]) -> Done:
    """IP-9, IP-10 in the order of D-10."""
    players = state.setting.players
    spent = [name for name, own in zip(players, state.own, strict=True) if not own]
    if spent:
        return finish(
            state,
            events,
            "IP-10",
            f"{' and '.join(spent)} {'have' if len(spent) > 1 else 'has'} no talers of their own left",
        )
    if state.last_round:
        return finish(state, events, "IP-10", "the round had begun with fewer than nine cards")
    if not state.setting.physical:
        before, state = state, refilled(state)
        events += dealt(before, state)
    state = shuffled(state)
    cards = sum(card is not None for card in state.table)
    if not cards and not state.deck:
        return finish(state, events, "D-9", "no card is left")
    last = cards + len(state.deck) < SLOTS
    state = state._replace(phase=COUNTDOWN, round=state.round + 1, last_round=last, stopped=0)
    text = f"round {state.round} can begin" + (
        ", the last one: fewer than nine cards lie open" if last else ""
    )
    if state.setting.physical:
        text += _owed(state)
    events.append(Event("round-ended", "IP-9", f"the igloos are mixed; {text}"))
    return state, tuple(events)


def _owed(state: State) -> str:
    """IP-14: what people have to put into the ring before the next count."""
    slots = to_be_dealt(state)
    if not slots:
        return ""
    if len(state.deck) < len(slots):
        return "; first lay what is left of the deck into the ring"
    return f"; first lay a card of the deck into slot {', '.join(str(slot + 1) for slot in slots)}"


def refilled(state: State) -> State:
    """Fills empty slots from the deck, lowest slot first."""
    table, deck, chance = list(state.table), list(state.deck), state.chance
    pool: list[Card] | None = None
    for slot in range(SLOTS):
        if table[slot] is None and deck:
            card = deck.pop(0)
            if card is None:  # undetermined: any card that is nowhere else
                if pool is None:
                    pool = sorted(unseen(state).elements())
                k, chance = chance.below(len(pool))
                card = pool.pop(k)
            table[slot] = card
    return state._replace(table=tuple(table), deck=tuple(deck), chance=chance)


def dealt(before: State, state: State) -> list[Event]:
    """Events for the cards that are open now and were not before."""
    pairs = enumerate(zip(before.table, state.table, strict=True), 1)
    return [
        Event(
            "dealt",
            "IP-9",
            f"card {written(new)} is laid into slot {slot}",
            None,
            {"slot": slot, "card": list(new)},
        )
        for slot, (old, new) in pairs
        if old is None and new is not None
    ]


def shuffled(state: State) -> State:
    """IP-9: cuts the link between igloos and values."""
    if state.setting.physical:
        return state._replace(values=(0,) * len(LETTERS))
    values, chance = state.chance.shuffled(VALUES)
    return state._replace(values=values, chance=chance)


def finish(state: State, events: list[Event], rule: str, why: str) -> Done:
    """Ends the game, by this rule."""
    over = outcome(state, rule)
    over = replace(over, text=f"{why}; {over.text}")
    state = state._replace(
        phase=OVER,
        over=over,
        values=(0,) * len(LETTERS),
        where=(VILLAGE,) * len(LETTERS),
        passed=0,
        stopped=0,
    )
    return state, (*events, Event("over", rule, over.text))


def outcome(state: State, rule: str) -> Over:
    """IP-12: most points; then most cards, then most captured talers; then all who are equal."""
    players = state.setting.players
    total = scores(state)
    rank = {name: (total[name], len(state.won[k]), state.captured[k]) for k, name in enumerate(players)}
    best = max(rank.values())
    winners = tuple(name for name in players if rank[name] == best)
    said = (
        f"{' and '.join(winners)} {'share the victory' if len(winners) > 1 else 'wins'} with {best[0]} points"
    )
    return Over(winners, rule, said, total)


def scores(state: State) -> dict[str, int | float]:
    """IP-11."""
    return {name: sum(part.values()) for name, part in parts(state).items()}


def parts(state: State) -> dict[str, dict[str, int]]:
    """The parts of each player's points."""
    return {
        name: {
            "cards": sum(map(points, state.won[k])),
            "own": state.own[k],
            "captured": state.captured[k],
        }
        for k, name in enumerate(state.setting.players)
    }
