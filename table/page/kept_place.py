"""Who goes over a picture or a row of buttons with the keyboard keeps the place when it is drawn anew."""

from __future__ import annotations

# A picture is replaced as a whole, and the browser then begins at the top of the page again. The place is known by what
# it does, by what it is called, by its square ("a7: ice"), or else by its number among those of its picture.
SCRIPT = """<script>(() => {
  const places = (box) => [...box.querySelectorAll('[tabindex]')];
  const name = (element) => element.getAttribute('aria-label') || '';
  let last = null;
  document.addEventListener('focusin', ({target}) => {
    const box = (target.id ? target.parentElement : target)?.closest('[id]');
    last = box && {target, box, at: places(box).indexOf(target)};
  });
  document.addEventListener('focusout', () => queueMicrotask(() => {
    if (last && last.target.isConnected && document.activeElement !== last.target) last = null;
  }));
  const again = () => {
    if (!last || last.target.isConnected || !last.box.isConnected) return;
    if (document.activeElement !== document.body) return;
    const {target, box, at} = last;
    if (target.id) {  // a button that is gone: its row, since the next one may do anything
      box.tabIndex = -1;
      box.focus({preventScroll: true});
      return;
    }
    const all = places(box), called = name(target);
    const same = all.find((one) => target.dataset.moves && one.dataset.moves === target.dataset.moves)
      || all.find((one) => called && name(one) === called)
      || all.find((one) => called && name(one).split(':')[0] === called.split(':')[0])
      || all[Math.min(at, all.length - 1)];
    if (same) same.focus({preventScroll: true});
  };
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver(again).observe(document.body, {childList: true, subtree: true});
  });
})();</script>"""
