"""While the page has lost its table: says so in its own language, blocks taps, and drops those made in the meantime."""

from __future__ import annotations

import json

from table.page.texts import Texts

# The toolkit shows an English element of its own, and queues taps until the table is back. By then others have moved
# on: the tap would be another move than the one that was meant.
_SCRIPT = """document.addEventListener('DOMContentLoaded', () => {
  const notice = document.getElementById('popup');
  const said = %s;
  [...notice.children].forEach((line, at) => { line.textContent = said[at]; });
  notice.setAttribute('role', 'alert');
  let socket = null, held = null;
  new MutationObserver(() => {
    const away = notice.ariaHidden === 'false';
    if (away) held = document.activeElement;
    for (const part of document.body.children) if (part !== notice) part.inert = away;
    if (!away && held?.isConnected) held.focus();
    if (away && window.socket && window.socket !== socket) {
      socket = window.socket;
      socket.io.on('reconnect_attempt', () => {
        socket.sendBuffer = socket.sendBuffer.filter((packet) => packet.data[0] !== 'event');
      });
    }
  }).observe(notice, {attributes: true, attributeFilter: ['aria-hidden']});
});"""


def script(texts: Texts) -> str:
    """The script for the page's head."""
    said = json.dumps([texts["page.lost"], texts["page.lost_wait"]]).replace("<", "\\u003c")
    return f"<script>{_SCRIPT % said}</script>"
