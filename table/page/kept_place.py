"""Keeps keyboard focus when a picture or a row of buttons is redrawn."""

from __future__ import annotations

# A picture is replaced as a whole, and the browser would then start at the top of the page again. The focused element
# is found again by what it does, by its name, by its square ("a7: ice"), or else by its index in its picture. If it is
# gone (a button, since the next one may do anything; a picture with nothing to tap), the row or picture gets focus, or
# what is around it. A dialog returns focus to where it was opened from.
SCRIPT = """<script>(() => {
  const places = (box) => [...box.querySelectorAll('[tabindex]')];
  const name = (element) => element.getAttribute('aria-label') || '';
  const inDialog = (element) => element.closest('.q-dialog');
  let last = null, opener = null;
  // who went on with the keyboard sees where it was moved to; a finger that scrolled away is not pulled back
  let keys = false;
  addEventListener('keydown', () => { keys = true; }, true);
  for (const kind of ['pointerdown', 'wheel']) addEventListener(kind, () => { keys = false; }, {passive: true});
  document.addEventListener('focusin', ({target}) => {
    const boxes = [];
    let box = (target.id ? target.parentElement : target)?.closest('[id]');
    for (; box; box = box.parentElement?.closest('[id]')) boxes.push(box);
    if (inDialog(target) && last && !last.dialog) opener = last;
    if (!inDialog(target)) opener = null;
    last = boxes.length
      ? {target, boxes, at: places(boxes[0]).indexOf(target), dialog: inDialog(target)} : null;
  });
  document.addEventListener('focusout', () => queueMicrotask(() => {
    if (last && last.target.isConnected && document.activeElement !== last.target) last = null;
  }));
  const to = (box) => {
    if (!box.hasAttribute('tabindex')) box.tabIndex = -1;
    box.focus({preventScroll: true});
  };
  const again = () => {
    if (!last || last.target.isConnected || document.activeElement !== document.body) return;
    if (last.dialog && !last.dialog.isConnected) {
      last = opener;
      opener = null;
      if (!last) return;
      if (last.target.isConnected) return last.target.focus({preventScroll: !keys});
    }
    const {target, boxes, at} = last, called = name(target);
    if (boxes[0].isConnected && !target.id) {
      const all = places(boxes[0]);
      const same = all.find((one) => target.dataset.moves && one.dataset.moves === target.dataset.moves)
        || all.find((one) => called && name(one) === called)
        || all.find((one) => called && name(one).split(':')[0] === called.split(':')[0])
        || all[Math.min(at, all.length - 1)];
      if (same) return same.focus({preventScroll: !keys});
    }
    const box = boxes.find((one) => one.isConnected && one.id !== 'app' && one.getClientRects().length);
    if (box) to(box);
  };
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver(again).observe(document.body, {childList: true, subtree: true});
  });
})();</script>"""
