"""The trainer's confusion matrix as a picture: a row per true count, a column per guess, right ones on the diagonal."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from table.page.texts import Texts
from table.trainer.confusions import Confusions, Learner

_CELL = 44
_PAIRS = 3  # number of pairs that are named
_HABIT = 10  # least number of guesses for a habit to be named


def grid(table: Confusions, counts: Sequence[int], texts: Texts) -> str:
    """How often each count was taken for which; darker means more often. Each cell also shows its number."""
    parts, rows = [], []
    for y, beads in enumerate(counts):
        row = table.seen.get(beads)
        if row:
            told = ", ".join(f"{g} × {n}" for g, n in sorted(row.items()))
            rows.append(texts("train.row", beads=beads, guesses=told))
        parts.append(_head(beads, 0, y + 1))
        parts.append(_head(beads, y + 1, 0))
        for x, guess in enumerate(counts):
            n = row[guess] if row else 0
            share = n / row.total() if row else 0.0
            right = " right" if guess == beads else ""
            at = f'x="{(x + 1) * _CELL + 1}" y="{(y + 1) * _CELL + 1}"'
            parts.append(f'<rect {at} width="{_CELL - 2}" height="{_CELL - 2}" rx="5" class="well{right}"/>')
            if n:
                parts.append(
                    f'<rect {at} width="{_CELL - 2}" height="{_CELL - 2}" rx="5" class="hit" '
                    f'opacity="{0.15 + 0.3 * share:.2f}"/>'
                    f'<text x="{(x + 1.5) * _CELL}" y="{(y + 1.5) * _CELL + 6}" text-anchor="middle">{n}</text>'
                )
    size = (len(counts) + 1) * _CELL
    label = escape(". ".join([texts["train.table"], *rows]))
    words = (
        f'<text x="{_CELL}" y="-8" class="tiny">{escape(texts["train.axis_guess"])} →</text>'
        f'<text transform="translate(-8 {_CELL}) rotate(-90)" text-anchor="end" class="tiny">'
        f"← {escape(texts['train.axis_true'])}</text>"
    )
    return (
        f'<svg viewBox="-30 -30 {size + 30} {size + 30}" class="confusion" role="img" aria-label="{label}">'
        f"{words}{''.join(parts)}</svg>"
    )


def _head(count: int, x: int, y: int) -> str:
    return f'<text x="{(x + 0.5) * _CELL}" y="{(y + 0.5) * _CELL + 7}" text-anchor="middle" class="head">{count}</text>'


def words(learner: Learner, texts: Texts) -> list[str]:
    """The table in sentences: how accurate, what is confused, too few or too many."""
    if not learner.own.total:
        return [texts["train.none"]]
    out = [_score(learner.own, texts["train.you"], texts)]
    if learner.ear.total:
        out.append(_score(learner.ear, texts["train.ear"], texts))
    if learner.own.total < _HABIT:
        return out
    pairs = learner.own.pairs()[:_PAIRS]
    if pairs:
        named = ", ".join(texts("train.pair", low=a, high=b, times=n) for a, b, n in pairs)
        out.append(texts("train.confused", pairs=named))
    bias = learner.own.bias() or 0.0
    if abs(bias) >= 0.3:
        out.append(texts("train.few" if bias < 0 else "train.many", beads=texts.number(bias, "+.1f")))
    return out


def _score(table: Confusions, who: str, texts: Texts) -> str:
    exact, near = table.share(0) or 0.0, table.share(1) or 0.0
    return texts("train.score", who=who, exact=texts.share(exact), near=texts.share(near), total=table.total)
