"""Moves of Igloo Igloo in words, for their buttons."""

from __future__ import annotations

from table.page.colours import PAINTS
from table.page.texts import Texts

_ANIMALS = ("fish", "fox", "bear")


def words(move: str, texts: Texts) -> str:
    """`hunt d5 fish 3 harpoon` → “On d5: hunt fish 3, with the harpoon”; an unknown move stays as it is."""
    if move.endswith(" harpoon") and move != "no harpoon":
        return texts("sea.with_harpoon", text=words(move.removesuffix(" harpoon"), texts))
    parts = move.split()
    match parts:
        case ["place" | "melt" | "thaw" as word, square]:
            return texts(f"sea.{word}", a=square)
        case ["melt", square, kind]:
            return texts("sea.melt_kind", a=square, b=_tile(kind, texts))
        case ["drift", square, side]:
            return texts("sea.drift", a=square, side=texts[f"hand.side_{side}"])
        case ["displace", *animal, square]:
            return texts("sea.displace", a=square, b=_animal(animal, texts))
        case ["walk" | "kayak" as word, start, goal]:
            return texts(f"sea.{word}", a=goal, b=start)
        case ["hunt", square, *animal]:
            return texts("sea.hunt", a=square, b=_animal(animal, texts))
        case ["igloo", square]:
            return texts("sea.igloo_at", a=square)
        case ["stamina", points]:
            return texts("sea.stamina", b=points)
        case ["step", *animal, start, goal]:
            return texts("sea.step", a=goal, b=_animal(animal, texts), c=start)
        case ["flee", colour, square]:
            return texts("sea.flee", a=square, b=texts[f"colour.{colour}"] if colour in PAINTS else colour)
        case ["no", "harpoon"]:
            return texts["sea.no_harpoon"]
        case ["animals" | "harpoon" | "end" as word]:
            return texts[f"sea.{word}"]
        case ["draws", *values]:
            return texts("sea.draws", b=" · ".join(values))
    return move


def _animal(parts: list[str], texts: Texts) -> str:
    kind = texts[f"island.{parts[0]}"] if parts and parts[0] in _ANIMALS else " ".join(parts[:1])
    return " ".join([kind, *parts[1:]])


def _tile(kind: str, texts: Texts) -> str:
    if kind == "red":
        return texts["sea.red"]
    if kind == "drift":
        return texts["sea.drift_tile"]
    name, _, value = kind.partition("-")
    return _animal([name, value] if value else [name], texts) if name in _ANIMALS else texts[f"island.{kind}"]
