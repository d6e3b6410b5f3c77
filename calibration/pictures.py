"""The report's pictures, drawn with matplotlib and put into the page as data."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

INK, BLUE, SOFT = "#1d2b36", "#2a6f97", "#c9d6df"


def _figure(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=110, layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK, labelsize=9)
    return figure, axes


def _page(figure: Any, words: str) -> str:
    """An <img> with its words for people who cannot see it."""
    raw = io.BytesIO()
    figure.savefig(raw, format="png")
    data = base64.b64encode(raw.getvalue()).decode()
    return f'<img alt="{words}" src="data:image/png;base64,{data}">'


def confusion(told: Sequence[tuple[int, int]], counts: Sequence[int]) -> str:
    """Pairs (true, said); each row of the picture sums to one."""
    index = {n: i for i, n in enumerate(counts)}
    table = np.zeros((len(counts), len(counts)))
    for true, said in told:
        table[index[true], index[said]] += 1
    share = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    figure, axes = _figure(5.2, 4.8)
    axes.imshow(share, cmap="Blues", vmin=0, vmax=1)
    for i, row in enumerate(table):
        for j, cell in enumerate(row):
            if cell:
                axes.text(j, i, f"{cell:.0f}", ha="center", va="center", fontsize=8,
                          color="white" if share[i, j] > 0.55 else INK)  # fmt: skip
    axes.set_xticks(range(len(counts)), counts)
    axes.set_yticks(range(len(counts)), counts)
    axes.set_xlabel("the ear said")
    axes.set_ylabel("beads in the igloo")
    return _page(figure, "Confusion matrix: counts in the igloo against counts said")


def reliability(confidence: Sequence[float], right: Sequence[bool]) -> str:
    """How often an answer given with some probability was right."""
    c, r = np.array(confidence), np.array(right, dtype=float)
    figure, axes = _figure(4.6, 4.0)
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=2, label="perfectly honest")
    bins = np.minimum((c * 10).astype(int), 9)
    for b in range(10):
        here = bins == b
        if here.any():
            n = int(here.sum())
            error = 1.96 * np.sqrt(max(r[here].mean() * (1 - r[here].mean()), 0.05) / n)
            axes.errorbar(
                c[here].mean(),
                r[here].mean(),
                yerr=error,
                fmt="o",
                color=BLUE,
                markersize=3 + 1.2 * n**0.5 / 2,
            )
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="probability it gave", ylabel="share that was right")
    axes.legend(frameon=False, fontsize=8, loc="upper left")
    return _page(figure, "Reliability: probability given against share that was right")


def curve(points: Mapping[int, float] | Mapping[float, float], xlabel: str, words: str) -> str:
    """Accuracy against something."""
    figure, axes = _figure(4.6, 3.2)
    axes.plot(list(points), list(points.values()), "o-", color=BLUE)
    for x, y in points.items():
        axes.annotate(
            f"{y:.2f}", (x, y), textcoords="offset points", xytext=(0, 7), ha="center", fontsize=8, color=INK
        )
    axes.set(ylim=(0, 1), xlabel=xlabel, ylabel="told exactly")
    axes.set_xticks(list(points))
    return _page(figure, words)


def by_count(exact: Mapping[int, float], near: Mapping[int, float]) -> str:
    """Bars: how well each count is told."""
    figure, axes = _figure(5.2, 3.2)
    axes.bar(list(near), list(near.values()), color=SOFT, label="within one")
    axes.bar(list(exact), list(exact.values()), color=BLUE, label="exact")
    axes.set(ylim=(0, 1), xlabel="beads in the igloo", ylabel="share told")
    axes.set_xticks(list(exact))
    axes.legend(frameon=False, fontsize=8, ncols=2, loc="upper right")
    return _page(figure, "How well each count is told")


def weights(
    means: Mapping[int, tuple[float, float]], seen: Sequence[tuple[int, float, float]], words: str
) -> str:
    """A seat's set: what each igloo weighs and what is loose in it, and what was weighed since (count, the two)."""
    figure, axes = _figure(5.6, 4.2)
    axes.plot(
        [w[1] for w in seen], [w[2] for w in seen], ".", color=BLUE, markersize=5, label="weighed since"
    )
    for n, (t, b) in means.items():
        axes.annotate(str(n), (t, b), ha="center", va="center", fontsize=9, color=INK, zorder=3,
                      bbox={"boxstyle": "circle,pad=0.25", "fc": "white", "ec": SOFT})  # fmt: skip
    axes.margins(0.08)
    axes.plot([t for t, _ in means.values()], [b for _, b in means.values()], linestyle="none")
    axes.set(xlabel="weight of shell and beads, in what the empty seat moves", ylabel="loose part of it")
    if seen:
        axes.legend(frameon=False, fontsize=8, loc="upper left")
    return _page(figure, words)
