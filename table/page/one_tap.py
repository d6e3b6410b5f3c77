"""One gesture is one act: the second click of a double click, or tap of a double tap, is taken nowhere."""

from __future__ import annotations

# The page is drawn anew between the two, and what comes to stand under the finger is another move, or another player's.
# A mouse's clicks are counted by the system, as its owner has set it; not every browser counts a finger's taps, so they
# go by time as well. What lies 24 px off is another button (WCAG 2.5.8), and may be tapped as quickly as anybody likes.
# Keys, screen readers and scripts click one at a time; text is chosen, and labels click their fields, as everywhere.
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
