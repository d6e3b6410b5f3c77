"""Words for the moves in a sentence, as on the page's buttons: a person at a page need not know the notation.

Over HTTP, in the terminal and in the journal the sentences keep the notation (`table.desk.said`, `table.desk.back`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

# sentences about undo, redo, a correction or a sensed move (“use NE pool”), and the list of moves to be made again
_NAMES_MOVES = re.compile(
    r"(?:Taken back:|Made again:|Corrected: step \d+ is|Step \d+ was right:|It was the move) “"
)
_QUOTED = re.compile(r"“([^”]+)”")
_LATER = re.compile(r"(?<= made again: )(.+?)(?=(?:, …)?\.$)")


def in_words(text: str, words: Callable[[str], str]) -> str:
    """The sentence with its moves in words; a sentence without moves as it is."""
    if _NAMES_MOVES.match(text) is None:
        return text

    def called(move: str) -> str:
        try:
            return words(move)
        # an older journal may hold a move as it was typed; every page reads this sentence
        except LookupError:
            return move

    text = _QUOTED.sub(lambda found: f"“{called(found[1])}”", text)
    return _LATER.sub(lambda found: "; ".join(called(move) for move in found[1].split(", ")), text)
