"""Moves that a sentence names, as the page's buttons name them: who sits at a page need not know the notation.

Over HTTP, in the terminal and in the journal the sentences keep it (`table.desk.said`, `table.desk.back`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

# of an act upon earlier moves, or of a move that was seen: “use NE pool”, and which later ones are to be made again
_NAMES_MOVES = re.compile(
    r"(?:Taken back:|Made again:|Corrected: step \d+ is|Step \d+ was right:|It was the move) “"
)
_QUOTED = re.compile(r"“([^”]+)”")
_LATER = re.compile(r"(?<= made again: )(.+?)(?=(?:, …)?\.$)")


def in_words(text: str, words: Callable[[str], str]) -> str:
    """The sentence with its moves in words; any other sentence as it is."""
    if _NAMES_MOVES.match(text) is None:
        return text

    def called(move: str) -> str:
        try:
            return words(move)
        except LookupError:  # an older journal may hold one as it was typed; every page reads this sentence
            return move

    text = _QUOTED.sub(lambda found: f"“{called(found[1])}”", text)
    return _LATER.sub(lambda found: "; ".join(called(move) for move in found[1].split(", ")), text)
