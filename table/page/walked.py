"""Arrow-key navigation on a board of squares: the board is a grid and a single tab stop.

https://www.w3.org/WAI/ARIA/apg/patterns/grid/
"""

from __future__ import annotations

# Focus returns to the square that was left, even if the board was redrawn: it is found by the beginning of its name.
# Before the first visit, the board itself says which square is the tab stop.
SCRIPT = """<script>(() => {
  const rows = (grid) => [...grid.querySelectorAll('[role=row]')].map((row) => [...row.querySelectorAll('[tabindex]')]);
  const name = (square) => (square.getAttribute('aria-label') || '').split(':')[0].trim();
  const board = (element) => element.closest?.('svg[role=grid]');
  const known = new WeakSet();
  let left = '';
  const stop = (grid, square) => {
    for (const one of rows(grid).flat()) one.setAttribute('tabindex', one === square ? '0' : '-1');
  };
  document.addEventListener('focusin', ({target}) => {
    const grid = board(target);
    if (!grid) return;
    left = name(target);
    stop(grid, target);
  });
  document.addEventListener('keydown', (event) => {
    const grid = board(event.target);
    if (!grid || event.altKey || event.shiftKey || event.metaKey) return;
    if (event.key === ' ' && !event.target.dataset.moves) return event.preventDefault();  // the page would scroll
    const all = rows(grid), y = all.findIndex((row) => row.includes(event.target)), x = all[y]?.indexOf(event.target);
    if (x === undefined) return;
    const last = all[y].length - 1, whole = event.ctrlKey;
    const to = {
      Home: [whole ? 0 : y, 0],
      End: whole ? [all.length - 1, all.at(-1).length - 1] : [y, last],
      ...(whole ? {} : {
        ArrowLeft: [y, Math.max(0, x - 1)],
        ArrowRight: [y, Math.min(last, x + 1)],
        ArrowUp: [Math.max(0, y - 1), x],
        ArrowDown: [Math.min(all.length - 1, y + 1), x],
      }),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    all[to[0]][to[1]].focus();
  });
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver(() => {
      for (const grid of document.querySelectorAll('svg[role=grid]')) {
        if (known.has(grid)) continue;
        known.add(grid);
        const square = left && rows(grid).flat().find((one) => name(one) === left);
        if (square) stop(grid, square);
      }
    }).observe(document.body, {childList: true, subtree: true});
  });
})();</script>"""
