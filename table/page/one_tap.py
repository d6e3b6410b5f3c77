"""One gesture is one act: the second click of a double click is ignored, and a press that saw a redraw is a click."""

from __future__ import annotations

# The page is redrawn between the two, and what then lies under the finger is another move, or another player's. The
# system counts a mouse's clicks, as its owner has set it. Not every browser counts a finger's taps, so time decides as
# well. An element 24 px away is another button (WCAG 2.5.8), and may be tapped as quickly as anybody likes. Keys,
# screen readers and scripts click one at a time; selecting text and clicking labels work as everywhere.
#
# A finger is down for a tenth of a second. If a picture is redrawn in that time (others play, too), what the finger
# came down on is gone, and a browser sends no click. Then what is left around it gets a `lostclick`, whose detail says
# what was pressed, where in its drawing, and in which position of the game.
SCRIPT = """<script>(() => {
  let last = null, press = null;
  const near = ({clientX: x, clientY: y}, before) => before && Math.hypot(x - before.x, y - before.y) < 24;
  document.addEventListener('pointerdown', (event) => {
    const {target, clientX: x, clientY: y} = event;
    const at = target.closest('[data-at]')?.dataset.at;
    const drawn = target.ownerSVGElement?.getScreenCTM()?.inverse();
    const point = drawn && new DOMPoint(x, y).matrixTransform(drawn);
    press = event.isPrimary && event.button === 0
      ? {target, path: event.composedPath(), x, y, point, at} : null;
  }, true);
  document.addEventListener('pointercancel', () => { press = null; }, true);
  document.addEventListener('pointerup', (event) => {
    const pressed = press;
    press = null;
    if (!pressed || pressed.target.isConnected || !near(event, pressed)) return;
    const again = near(event, last) && event.timeStamp - last.t < 400;
    last = {t: event.timeStamp, x: event.clientX, y: event.clientY};
    const left = pressed.path.find((one) => one.isConnected);
    if (!again) left?.dispatchEvent(new CustomEvent('lostclick', {detail: pressed}));
  }, true);
  document.addEventListener('click', (event) => {
    if (!event.isTrusted || event.detail === 0) return;
    const {timeStamp: t, clientX: x, clientY: y} = event;
    const finger = event.pointerType ? event.pointerType === 'touch' : navigator.maxTouchPoints > 0;
    const again = near(event, last) && (event.detail > 1 || (finger && t - last.t < 400));
    last = {t, x, y};
    if (!again || event.target.closest('input, textarea, select, label')) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  }, true);
})();</script>"""
