"""A piece of HTML on the page that is sent only when it has changed."""

from __future__ import annotations

from collections.abc import Callable

_TAPPED = """(event) => {
  if (event.type === 'keydown' && event.key !== 'Enter' && event.key !== ' ') return;
  if (event.repeat) return;  // a key that is held would make move after move
  // redrawn between press and release (`one_tap.py`): what was pressed is no longer part of the page
  const lost = event.type === 'lostclick' ? event.detail : null;
  const pressed = lost?.target ?? event.target;
  const at = Number(lost ? lost.at ?? 0 : pressed.closest('[data-at]')?.dataset.at ?? 0);
  const area = (lost || event.type === 'click' && event.detail > 0) && pressed.closest('[data-place]');
  if (area) {  // by hand: exactly where it was tapped; with the keyboard: the middle of the area
    const point = lost?.point ?? new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(area.ownerSVGElement.getScreenCTM().inverse());
    emit({at, moves: [`${area.dataset.place} near ${point.x.toFixed(1)} ${point.y.toFixed(1)}`]});
    return;
  }
  const target = pressed.closest('[data-moves]');
  if (!target) return;
  event.preventDefault();
  emit({at, moves: target.dataset.moves.split('|')});
}"""


class Picture:
    """Draw it with `show`.

    Taps on `data-moves` (and Enter or space there) come back as lists of moves, with the number of the position that
    was shown (`data-at`; 0: none).
    """

    def __init__(self, tapped: Callable[[list[str], int], None] | None = None, classes: str = "") -> None:
        from nicegui import ui

        self._html = ""
        self.element = ui.html("", sanitize=False).classes(classes)
        if tapped is not None:
            for kind in ("click", "lostclick", "keydown"):
                self.element.on(
                    kind, lambda event: tapped(event.args["moves"], event.args["at"]), js_handler=_TAPPED
                )

    def show(self, html: str) -> None:
        if html != self._html:
            self._html = html
            self.element.set_content(html)
