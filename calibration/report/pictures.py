"""The report's pictures, drawn with matplotlib and embedded as data."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from calibration.scores import Told, interval_by
from calibration.testing.curves import Point, point
from calibration.words import SEVERAL

INK, BLUE, SOFT = "#1d2b36", "#2a6f97", "#c9d6df"
# inches: a phone shows a picture some nine centimetres wide, and its words are to be read there; sharp there, too
WIDE, DPI = 3.9, 220
A_COUNT = 0.17  # inches, for a number of two digits
# radii in points of the drawing of a seat's set; a label's is for two digits
CIRCLE, DOT, LABEL = 8.0, 2.5, 5.5
AWAY = CIRCLE + LABEL + 0.5  # from a circle's centre to its label's centre


def _figure(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=DPI, layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK, labelsize=9)
    return figure, axes


def _page(figure: Any, words: str) -> str:
    """An <img> with alternative text (any characters), for people who cannot see it."""
    raw = io.BytesIO()
    figure.savefig(raw, format="png")
    data = base64.b64encode(raw.getvalue()).decode()
    return f'<img alt="{escape(words)}" src="data:image/png;base64,{data}">'


def confusion(told: Sequence[tuple[int, int]], counts: Sequence[int]) -> str:
    """Confusion matrix of pairs (true, said); each row sums to one."""
    index = {n: i for i, n in enumerate(counts)}
    table = np.zeros((len(counts), len(counts)))
    for true, said in told:
        table[index[true], index[said]] += 1
    share = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    from matplotlib.patches import Rectangle

    side = max(WIDE, 0.6 + A_COUNT * len(counts))
    figure, axes = _figure(side, 0.92 * side)
    axes.imshow(share, cmap="Blues", vmin=0, vmax=1)
    for i in range(len(counts)):  # the correct answers
        axes.add_patch(Rectangle((i - 0.5, i - 0.5), 1, 1, fill=False, edgecolor=SOFT, linewidth=1.0))
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


def reliability(told: Sequence[Told]) -> str:
    """Reliability diagram: how often answers of a given probability were right, and how many there were; with intervals
    over whole sessions (or over the units left out), where there are several."""
    c, r = np.array([t.confidence for t in told]), np.array([float(t.best == t.true) for t in told])
    sessions, units = np.array([t.session for t in told]), np.array([t.unit for t in told])
    again = np.array([t.again for t in told])
    figure, axes = _figure(WIDE, 3.5)
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=2, label="perfectly honest")
    bins = np.minimum((c * 10).astype(int), 9)
    before, raised, barred = -1.0, False, False
    for b in range(10):
        here = bins == b
        if here.any():
            n, x, y = int(here.sum()), float(c[here].mean()), float(r[here].mean())
            axes.plot(x, y, "o", color=BLUE, markersize=3 + 0.6 * n**0.5, clip_on=False, zorder=3)
            of_these = point(*(of[here].tolist() for of in (r, sessions, units, again)))
            _bar(axes, x, of_these)
            barred |= of_these.interval is not None
            raised = x - before < 0.06 and not raised  # neighbouring labels alternate between two lines
            axes.text(x, -0.07 if raised else -0.12, str(n), ha="center", va="center", fontsize=8, color=INK)
            before = x
    axes.set(
        xlim=(-0.03, 1.05), ylim=(-0.16, 1.03), xlabel="probability it gave", ylabel="share that was right"
    )
    axes.text(-0.02, -0.12, "n", va="center", fontsize=8, color=INK)
    axes.set_yticks(np.linspace(0, 1, 6))
    label = "answers (n of them)" + (f", 95 % by {SEVERAL[interval_by(told)]}" if barred else "")
    axes.plot([], [], "o", color=BLUE, markersize=5, label=label)
    _legend_above(axes, columns=1)  # beside one another they are wider than the picture
    return _page(
        figure, "Reliability: probability given against share that was right, with numbers of answers"
    )


def _bar(axes: Any, x: float, told: Point) -> None:
    """An error bar; nothing where the interval is unknown."""
    if told.interval is not None:
        axes.plot([x, x], told.interval, color=BLUE, linewidth=1.2, alpha=0.6, zorder=2)


def _legend_above(axes: Any, columns: int = 2) -> None:
    """Place the legend outside the plot."""
    axes.legend(
        frameon=False, fontsize=8, ncols=columns, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2
    )


def curve(points: Mapping[int, Point] | Mapping[float, Point], xlabel: str, words: str) -> str:
    """Accuracy against some quantity, with its interval."""
    figure, axes = _figure(WIDE, 2.9)
    axes.plot(
        list(points), [told.share for told in points.values()], "o-", color=BLUE, clip_on=False, zorder=3
    )
    for x, told in points.items():
        _bar(axes, x, told)
        axes.annotate(
            f"{told.share:.2f}", (x, told.share), textcoords="offset points", xytext=(5, 5), ha="left",
            fontsize=8, color=INK, annotation_clip=False, zorder=4,
        )  # fmt: skip
    axes.margins(x=0.1)
    axes.set(ylim=(0, 1.05), xlabel=xlabel, ylabel="told exactly")
    axes.set_xticks(list(points), [f"{x:g}\nn={told.n}" for x, told in points.items()])
    return _page(figure, words)


def by_count(exact: Mapping[int, float], near: Mapping[int, float]) -> str:
    """Bars: the accuracy for each count."""
    figure, axes = _figure(max(WIDE, 0.6 + A_COUNT * len(exact)), 2.5)
    axes.bar(list(near), list(near.values()), color=SOFT, label="within one")
    axes.bar(list(exact), list(exact.values()), color=BLUE, label="exact")
    axes.set(ylim=(0, 1), xlabel="beads in the igloo", ylabel="share told")
    axes.set_xticks(list(exact))
    _legend_above(axes)
    return _page(figure, "How well each count is told")


def weights(
    means: Mapping[int, tuple[float, float]], seen: Sequence[tuple[int, float, float]], words: str
) -> str:
    """A seat's set: upright weight and loose mass of each igloo, and the weighings since (count, the two)."""
    figure, axes = _figure(4.3, 3.6)
    axes.plot([t for t, _ in means.values()], [b for _, b in means.values()], "o", markersize=15, color="white",
              markeredgecolor=SOFT, markeredgewidth=1.6, zorder=2, label="the igloo, with its count")  # fmt: skip
    if seen:
        axes.plot([w[1] for w in seen], [w[2] for w in seen], "o", color=BLUE, markersize=5, zorder=3,
                  markeredgecolor="white", markeredgewidth=0.4, label="weighed since")  # fmt: skip
    axes.margins(0.1)
    axes.set(xlabel="weight of shell and beads,\nin what the empty seat moves", ylabel="loose part of it")
    _legend_above(axes)
    figure.draw_without_rendering()  # only now are distances on the page known

    def on_page(points: Sequence[tuple[float, float]]) -> Any:
        return axes.transData.transform(points).reshape(-1, 2) * 72 / figure.dpi

    offsets = _beside(on_page(list(means.values())), on_page([w[1:] for w in seen])) if means else []
    for (n, at), away in zip(means.items(), offsets, strict=True):
        axes.annotate(str(n), at, textcoords="offset points", xytext=away, ha="center", va="center",
                      fontsize=9, color=INK, zorder=4, annotation_clip=False)  # fmt: skip
    return _page(figure, words)


def _beside(circles: Any, dots: Any) -> list[tuple[float, float]]:
    """The position of each circle's label, in points from its centre: above it, or on the side with the most room
    between circles, dots and labels. Inside a neighbour's circle it would be read as that one's."""
    out: list[tuple[float, float]] = []
    labels: list[Any] = []
    ways = [(AWAY * np.sin(turn), AWAY * np.cos(turn)) for turn in np.arange(0, 2 * np.pi, np.pi / 8)]
    for i, circle in enumerate(circles):
        others = [
            (np.delete(circles, i, axis=0), CIRCLE),
            (dots, DOT),
            (np.array(labels).reshape(-1, 2), LABEL),
        ]

        def room(way: tuple[float, float], at: Any = circle, others: Any = others) -> float:
            """The distance from the label to its nearest neighbour; more than enough is no better."""
            gaps = [
                float(np.hypot(*(of - at - way).T).min()) - radius - LABEL for of, radius in others if len(of)
            ]
            return min(0.0, *gaps) if gaps else 0.0

        out.append(max(ways, key=room))  # the first of equals
        labels.append(circle + out[-1])
    return out
