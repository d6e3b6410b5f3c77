"""Igloo Pop as a picture: the nine cards of the ring, the igloos on them and in the village, the talers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from table.page.colours import chip, disc
from table.page.texts import Texts


def ring(view: Mapping[str, Any], texts: Texts, moves: Iterable[str] = (), fresh: Iterable[str] = ()) -> str:
    """The nine slots as cards. Cards on which one may place, or say what stands there, are buttons (`data-moves`)."""
    placing: dict[int, list[str]] = {}
    for move in moves:
        words = move.split()
        if words[0] in ("place", "deal", "found"):
            placing.setdefault(int(words[2] if words[0] == "place" else words[1]), []).append(move)
    touched = set(fresh)
    on_card: dict[int, list[tuple[str, str]]] = {}
    for letter, igloo in view["igloos"].items():
        if igloo["at"] == "card":
            on_card.setdefault(igloo["slot"], []).append((letter, igloo["by"]))
    cards = []
    for slot, numbers in enumerate(view["table"], 1):
        cards.append(
            _card(
                slot,
                numbers,
                on_card.get(slot, []),
                view,
                texts,
                "|".join(placing.get(slot, ())),
                f"slot {slot}" in touched,
            )
        )
    return f'<div class="ring" role="group" aria-label="{escape(texts["pop.cards"])}">{"".join(cards)}</div>'


def _card(
    slot: int,
    numbers: Sequence[int] | None,
    igloos: list[tuple[str, str]],
    view: Mapping[str, Any],
    texts: Texts,
    move: str,
    fresh: bool,
) -> str:
    tap = f' data-moves="{escape(move)}" tabindex="0"' if move else ""
    kind = "button" if move else "group"
    if not numbers:
        words = escape(texts("pop.empty_slot", slot=slot))
        return (
            f'<div class="card empty{" tap" if move else ""}" role="{kind}"{tap} aria-label="{words}">'
            f'<span class="slot">{slot}</span></div>'
        )
    points = 4 - len(numbers)
    pieces = "".join(_small_igloo(letter, by, view["values"].get(letter), texts) for letter, by in igloos)
    words = texts("pop.card", slot=slot, numbers=" ".join(map(str, numbers)), points=points)
    if move:  # screen readers do not read inside a button
        words = ", ".join(
            [words, *(_told(letter, by, view["values"].get(letter), texts) for letter, by in igloos)]
        )
    return (
        f'<div class="card{" fresh" if fresh else ""}{" tap" if move else ""}" role="{kind}"{tap} '
        f'aria-label="{escape(words)}"><span class="slot">{slot}</span>'
        f'<span class="numbers n{len(numbers)}">{"<i>·</i>".join(map(str, numbers))}</span>'
        f'<span class="points" aria-hidden="true">{"▲" * points}</span><span class="onit">{pieces}</span></div>'
    )


def _told(letter: str, by: str, value: int | None, texts: Texts) -> str:
    words = texts("pop.igloo_by", letter=letter, colour=texts[f"colour.{by}"])
    return words + (f", {value}" if value is not None else "")


def _small_igloo(letter: str, by: str, value: int | None, texts: Texts) -> str:
    name, told = texts[f"colour.{by}"], _told(letter, by, value, texts)
    inner = str(value) if value is not None else letter
    return (
        f'<svg class="small-igloo" viewBox="-32 -36 64 52" role="img" aria-label="{escape(told)}">'
        f"{_dome(inner)}"
        f"{disc(by, 20, 4, 10, name)}</svg>"
    )


def _dome(written: str) -> str:
    """An igloo from the side, with text on it."""
    path = '<path d="M-26 10A26 30 0 0 1 26 10Z" class="dome"/>'
    return f'{path}<text y="3" text-anchor="middle" class="letter">{written}</text>'


def village(view: Mapping[str, Any], texts: Texts, moves: Iterable[str] = ()) -> str:
    """The igloos in the middle and in hands; those that may be taken are buttons."""
    grabs: dict[str, str] = {}
    for move in moves:
        if move.startswith("grab "):
            letter = move.split()[2]
            grabs[letter] = f"{grabs[letter]}|{move}" if letter in grabs else move
    out = []
    for letter, igloo in view["igloos"].items():
        if igloo["at"] == "card":
            continue
        held = igloo.get("by")
        words = (
            texts("pop.held", letter=letter, colour=texts[f"colour.{held}"])
            if held
            else texts("pop.in_village", letter=letter)
        )
        tap = (
            f' data-moves="{escape(grabs[letter])}" tabindex="0" role="button"'
            if letter in grabs
            else ' role="img"'
        )
        out.append(
            f'<svg class="small-igloo{" held" if held else ""}{" tap" if letter in grabs else ""}" '
            f'viewBox="-32 -36 64 52"{tap} aria-label="{escape(words)}">{_dome(letter)}'
            f"{disc(held, 20, 4, 10) if held else ''}</svg>"
        )
    return f'<div class="village" aria-label="{escape(texts["pop.village"])}">{"".join(out)}</div>'


def players(
    view: Mapping[str, Any], texts: Texts, acting: Iterable[str] = (), giants: Mapping[str, str] | None = None
) -> str:
    """What everybody has: own talers, captured talers, cards won; `giants`: seat → skill of the ice giants."""
    busy = set(acting)
    rows = []
    for colour in view["players"]:
        talers, won = view["talers"][colour], view["won"].get(colour, [])
        points = sum(4 - len(card) for card in won) + talers["own"] + talers["captured"]  # IP-11
        words = texts(
            "pop.has", own=talers["own"], captured=talers["captured"], cards=len(won), points=points
        )
        state = texts["pop.passed"] if colour in view.get("passed", ()) else ""
        rows.append(
            f'<li class="player{" acting" if colour in busy else ""}">{chip(colour, 34)}'
            f"<b>{escape(texts[f'colour.{colour}'])}{_giant((giants or {}).get(colour), texts)}</b>"
            f"<span>{escape(words)}</span><em>{escape(state)}</em></li>"
        )
    return f'<ul class="players">{"".join(rows)}</ul>'


def _giant(skill: str | None, texts: Texts) -> str:
    return "" if skill is None else f" · {escape(texts('giant.is', skill=texts[f'giant.{skill}']))}"


def changed(before: Mapping[str, Any], view: Mapping[str, Any]) -> list[str]:
    """What the last move touched: `slot 3` where igloos came or went."""

    def standing(position: Mapping[str, Any]) -> set[tuple[int, str]]:
        igloos = position.get("igloos", {})
        return {(igloo["slot"], letter) for letter, igloo in igloos.items() if igloo["at"] == "card"}

    return [f"slot {slot}" for slot, _ in standing(before) ^ standing(view)] if before else []
