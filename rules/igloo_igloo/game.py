"""Igloo Igloo's referee: the object `GAME`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rules.core.chance import Chance
from rules.core.game import Event, Game, Over
from rules.core.notation import LONGEST, complete, refusal
from rules.core.reading import Reader
from rules.core.refusal import Illegal, NotNow

from . import drift, hand, melt, score, tokens, tribe, turns
from .board import CENTRE, CENTRE_SQUARES, WATER
from .deal import new_supply, new_tiles
from .moves import legal_moves
from .notation import EXAMPLES, VERBS, Action, parse
from .options import OPTIONS, Rules, read_rules
from .position import seen, whole
from .setup import read_state
from .state import Prey, State, actor

PHASE_RULES = {
    "place": ("II-6", "the tribes are being placed"),
    "pre-melt": ("II-9", "first a tile must be melted"),
    "drift": ("II-10", "first a tile must be pushed"),
    "displace": ("D-41", "first the animals in the way of the push must be moved"),
    "draws": (
        "II-25",
        "first the values of the tokens that were laid must be said with draws, as in draws 1 3",
    ),
    "action": ("II-11", "a tile was melted in this turn already"),
    "animals": ("D-45", "first the points for moving animals must be used"),
    "attack": ("II-14", "first who is attacked says whether he throws a harpoon"),
    "flee": ("II-14", "first the fleeing Inuits must be put on land"),
}
# Moves that only an effect makes possible, with what they wait for.
EFFECT_RULES = {
    "place": ("II-6", "the tribes are placed before the first turn"),
    "drift": ("II-10", "no tile waits to be pushed: that follows the melting of a drift tile"),
    "displace": ("D-41", "no push waits for animals to make way"),
    "draws": ("II-25", "no tokens were laid whose values must be said"),
    "step": ("D-45", "animals are moved after the tile `animals` was played"),
    "harpoon": (
        "II-14",
        "nobody is attacked now; to hunt, say the harpoon with the move, as in hunt c5 bear harpoon",
    ),
    "flee": ("II-14", "no Inuit has to flee now"),
}
EFFECT_RULES["no"] = EFFECT_RULES["harpoon"]
Handler = Callable[[State, Action, list[Event]], State]
_ACTION: dict[str, Handler] = {
    "walk": tribe.walk,
    "kayak": tribe.kayak,
    "hunt": tribe.hunt,
    "igloo": tribe.build,
    "thaw": hand.thaw,
    "stamina": hand.stamina,
    "animals": hand.animals,
    "end": turns.end,
}
HANDLERS: dict[str, dict[str, Handler]] = {
    "place": {"place": turns.place},
    "pre-melt": {"melt": melt.melt, "thaw": hand.thaw, "animals": hand.animals},
    "drift": {"drift": drift.drift},
    "displace": {"displace": drift.displace},
    "draws": {"draws": tokens.draws},
    "action": _ACTION,
    "animals": {"step": hand.step_animal, "end": turns.end},
    "attack": {"harpoon": hand.harpoon, "no": hand.no_harpoon},
    "flee": {"flee": turns.flee},
    "over": {},
}


class IglooIgloo(Game[State]):
    """Igloo Igloo for two to four (rules II-1 to II-25)."""

    name = "igloo-igloo"
    players = "two (red and blue) to four of red, blue, yellow, green, clockwise"
    options = OPTIONS

    def new(
        self, players: Sequence[str], seed: int | None, options: Mapping[str, Any]
    ) -> tuple[State, tuple[Event, ...]]:
        reader = Reader()
        rules = read_rules(players, options, reader)
        reader.finish()
        chance, first = Chance.of(seed or 0), 0
        if rules.options["first"] == "random":
            first, chance = chance.below(len(rules.players))
        state = _start(rules, first, chance)
        colour = state.colour(first)
        set_up = "56 tiles face down, four fish in the open sea of the centre"
        if rules.physical:
            set_up += ": say their values, of those on d4, e4, d5, e5 in this order, as in draws 1 3 2 2"
        return state, (
            Event("set-up", "II-5", set_up),
            Event("begins", "D-33", f"{colour} begins", None, {"player": colour}),
        )

    def setup(self, position: Mapping[str, Any], seed: int | None) -> State:
        return read_state(position, seed or 0)

    def seats(self, state: State) -> tuple[str, ...]:
        return state.rules.players

    def to_act(self, state: State) -> tuple[str, ...]:
        acting = actor(state)
        return () if acting is None else (state.rules.players[acting],)

    def phase(self, state: State) -> str:
        return state.phase

    def over(self, state: State) -> Over | None:
        return state.over

    def moves(self, state: State, seat: str | None = None) -> Iterator[str]:
        if seat is not None and (seat,) != self.to_act(state):
            return iter(())
        return iter(legal_moves(state))

    def read(self, state: State, move: str, seat: str | None = None) -> str:
        return str(self._read(state, move, seat))

    def _read(self, state: State, text: str, seat: str | None) -> Action:
        found = parse(text) if len(text) <= LONGEST else None
        if found is None:
            rule, why = _why_nothing(state, text, seat)
            found = parse(complete(text, VERBS, self.moves(state, seat), rule, why, EXAMPLES))
            assert found is not None
        return found

    def play(self, state: State, move: str, seat: str | None = None) -> tuple[State, tuple[Event, ...]]:
        action = self._read(state, move, seat)
        handler = HANDLERS[state.phase].get(action.verb)
        if handler is None or (seat is not None and (seat,) != self.to_act(state)):
            raise NotNow(*_why_not_now(state, action.verb, seat))
        events: list[Event] = []
        try:
            after = handler(state, action, events)
        except Illegal as why:
            raise refusal(str(action), self.moves(state, seat), why.rule, why.text) from None
        return after, tuple(events)

    def to_json(self, state: State) -> dict[str, Any]:
        return whole(state)

    def view(self, state: State, seat: str | None) -> dict[str, Any]:
        return seen(state, seat)

    def score(self, state: State, seat: str | None = None) -> tuple[dict[str, int | float], dict[str, Any]]:
        totals = score.doubled_totals(state)
        colours = state.rules.players
        return (
            {colour: score.halved(total) for colour, total in zip(colours, totals, strict=True)},
            score.parts(state),
        )


def _start(rules: Rules, first: int, chance: Chance) -> State:
    """II-5: tiles shuffled onto the ice, and a fish on each of the four centre squares."""
    ice = WATER & ~CENTRE
    tiles, chance = new_tiles(rules, ice, chance)
    fish, chance = new_supply(rules, rules.mix.fish, chance)
    foxes, chance = new_supply(rules, rules.mix.foxes, chance)
    count = len(rules.players)
    state = State(
        rules=rules,
        turn=first,
        phase="place",
        ap=0,
        hidden=ice,
        pack=0,
        tiles=tiles,
        fish=(),
        foxes=(),
        bears=0,
        inuits=((),) * count,
        igloos=(0,) * count,
        hands=((),) * count,
        played=(),
        prey=(Prey(),) * count,
        reserve=((rules.inuits, 2),) * count,
        supply_fish=fish,
        supply_foxes=foxes,
        supply_bears=rules.mix.bears,
        out_open=(),
        out_thawed=(),
        pending=None,
        over=None,
        chance=chance,
    )
    return tokens.lay(state, CENTRE_SQUARES, len(CENTRE_SQUARES), "place", [])


def _why_not_now(state: State, verb: str, seat: str | None) -> tuple[str, str]:
    """The rule and the sentence for a kind of move that is impossible at this moment."""
    if state.over is not None:
        return state.over.rule, f"the game is over: {state.over.text}"
    acting = actor(state)
    assert acting is not None
    colour = state.colour(acting)
    if seat is not None and seat != colour:
        return "II-13" if state.phase != "attack" else "II-14", f"it is {colour} who acts now"
    if state.phase in ("pre-melt", "action") and verb in EFFECT_RULES:
        return EFFECT_RULES[verb]
    return PHASE_RULES[state.phase]


def _why_nothing(state: State, text: str, seat: str | None) -> tuple[str, str]:
    """The rule and the sentence for a part of a move that no legal move fits."""
    verb = text.split()[0].lower() if text.split() else ""
    if verb in HANDLERS[state.phase] and (seat is None or state.over or (seat,) == GAME.to_act(state)):
        if verb in ("thaw", "stamina"):
            return hand.why_none(state, verb)
        if verb in tribe.COSTS and not any(move.split(None, 1)[0] == verb for move in legal_moves(state)):
            why = tribe.why_none(state, verb)
            return str(why.rule), why.text
        return PHASE_RULES[state.phase][0], f"no legal move fits {text.strip()!r} now"
    return _why_not_now(state, verb, seat)


GAME = IglooIgloo()
