"""The report's pictures: nothing lies on what it is about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from calibration.report import pictures
from calibration.scores import Told
from calibration.testing.curves import Point


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that were drawn."""
    figures: list[Any] = []
    before = pictures._page

    def page(figure: Any, words: str) -> str:
        figures.append(figure)
        return before(figure, words)

    monkeypatch.setattr(pictures, "_page", page)
    return figures


def test_words_of_a_list_end_no_picture() -> None:
    """A set's name comes from a list, which may be somebody else's."""
    page = pictures.weights({3: (1.0, 0.5)}, [], 'x"><script>')
    assert "<script>" not in page
    assert 'alt="x&quot;&gt;&lt;script&gt;"' in page


def told(confidence: float, right: bool, session: str) -> Told:
    return Told(7, 7 if right else 8, confidence, False, None, session)


def test_legends_stand_outside(drawn: list[Any]) -> None:
    counts = range(2, 14)
    pictures.by_count(dict.fromkeys(counts, 1.0), dict.fromkeys(counts, 1.0))
    pictures.reliability([told(0.2, False, "a"), told(0.9, True, "a"), told(1.0, True, "b")])
    pictures.weights({2: (0.1, 0.2), 3: (0.2, 0.3)}, [(2, 0.1, 0.2)], "a set")
    for figure in drawn:
        (axes,) = figure.axes
        legend = axes.get_legend().get_window_extent()
        assert legend.y0 >= axes.get_window_extent().y1 - 1


def test_every_word_is_within_its_picture_and_is_read_on_a_phone(drawn: list[Any]) -> None:
    counts = range(2, 14)
    pictures.by_count(dict.fromkeys(counts, 1.0), dict.fromkeys(counts, 1.0))
    pictures.confusion([(n, n) for n in counts for _ in range(100)], counts)
    pictures.reliability([told(k / 20, k % 2 == 0, name) for k in range(20) for name in "abc"])
    pictures.curve({n: Point(1.0, 200, (0.8, 1.0)) for n in (1, 2, 3)}, "shakes of one igloo", "")
    pictures.weights({2: (0.1, 0.2), 3: (0.2, 0.3)}, [(2, 0.1, 0.2)], "a set")
    for figure in drawn:
        figure.draw_without_rendering()
        (axes,) = figure.axes
        words = [axes.xaxis.label, axes.yaxis.label, *axes.texts]
        words += axes.get_legend().get_texts() if axes.get_legend() else []
        for word in words:
            box = word.get_window_extent()
            assert min(box.x0, box.y0) >= -1, word
            assert box.x1 <= figure.bbox.x1 + 1, word
            assert box.y1 <= figure.bbox.y1 + 1, word
            # in pixels, where the picture is as wide as a phone's page
            assert word.get_fontsize() * 356 / (72 * figure.get_figwidth()) >= 9, word


def test_dots_at_nothing_and_at_one_are_whole_and_numbered(drawn: list[Any]) -> None:
    pictures.reliability([*(told(0.05, False, name) for name in "abb"), *[told(1.0, True, "a")] * 2])
    (axes,) = drawn[0].axes
    low, high = axes.get_ylim()
    assert low < 0
    assert high > 1
    dots = [line for line in axes.get_lines() if line.get_marker() == "o" and len(line.get_xdata())]
    assert all(not dot.get_clip_on() for dot in dots)
    assert {"3", "2"} <= {text.get_text() for text in axes.texts}
    bars = [
        line for line in axes.get_lines() if len(set(line.get_xdata())) == 1 and len(line.get_xdata()) > 1
    ]
    assert [bar.get_xdata()[0] for bar in bars] == [pytest.approx(0.05)]  # of one session nobody knows


def test_what_was_weighed_since_is_not_under_the_circles(drawn: list[Any]) -> None:
    pictures.weights({2: (0.1, 0.2), 3: (0.2, 0.3)}, [(2, 0.1, 0.2)], "a set")
    (axes,) = drawn[0].axes
    lines = {line.get_label(): line for line in axes.get_lines()}
    since = lines.pop("weighed since")
    assert all(since.get_zorder() > line.get_zorder() for line in lines.values())
    for text in axes.texts:  # the counts stand beside, and hide no dot
        assert text.get_bbox_patch() is None
        assert text.xyann != (0, 0)


def test_a_count_stands_in_no_other_igloos_circle(drawn: list[Any]) -> None:
    near = {2: (0.1, 0.2), 3: (0.5, 0.50), 4: (0.5, 0.535), 5: (0.507, 0.517), 6: (0.9, 0.9)}
    pictures.weights(near, [(3, 0.502, 0.49)], "a set")
    figure = drawn[0]
    figure.draw_without_rendering()
    (axes,) = figure.axes
    to_page = 72 / figure.dpi
    for text in axes.texts:
        box = text.get_window_extent()
        middle = (box.x0 + box.x1) / 2 * to_page, (box.y0 + box.y1) / 2 * to_page
        for n, at in near.items():
            x, y = axes.transData.transform(at) * to_page
            away = ((middle[0] - x) ** 2 + (middle[1] - y) ** 2) ** 0.5
            assert away > 7.5 + 3 or text.get_text() == str(n), (text.get_text(), n)


def test_bars_take_a_shake_that_two_sensors_heard_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the figures beside the picture do."""
    bars: list[Point] = []
    monkeypatch.setattr(pictures, "_bar", lambda axes, x, told: bars.append(told))
    once = [told(1.0, True, name) for name in "aabb"]
    twice = [replace(one, again=again) for one in once for again in (False, True)]
    for these in (once, twice):
        pictures.reliability(these)
    assert bars[0].interval == bars[1].interval
