"""One gesture is one act: ignores the second click of a double click, and the second tap of a double tap."""

from __future__ import annotations

# The page is redrawn between the two, and what then lies under the finger is another move, or another player's. The
# system counts a mouse's clicks, as its owner has set it. Not every browser counts a finger's taps, so time decides as
# well. An element 24 px away is another button (WCAG 2.5.8), and may be tapped as quickly as anybody likes. Keys,
# screen readers and scripts click one at a time; selecting text and clicking labels work as everywhere.
SCRIPT = """<script>(() => {
  let last = null;
  document.addEventListener('click', (event) => {
    if (!event.isTrusted || event.detail === 0) return;
    const {timeStamp: t, clientX: x, clientY: y} = event;
    const near = last && Math.hypot(x - last.x, y - last.y) < 24;
    const finger = event.pointerType ? event.pointerType === 'touch' : navigator.maxTouchPoints > 0;
    const again = near && (event.detail > 1 || (finger && t - last.t < 400));
    last = {t, x, y};
    if (!again || event.target.closest('input, textarea, select, label')) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  }, true);
})();</script>"""
