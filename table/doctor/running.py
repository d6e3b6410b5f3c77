"""Whether the table is running now: then its own microphones are not opened a second time, but the table is asked."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from typing import Any

from table.config import Settings
from table.senses.watchdog import Patience, Senses, Watchdog

ASK_S = 5.0  # a busy table may take a while; if nobody listens the refusal comes at once
_STATES = ("healthy", "alarmed", "recovering", "escalated", "failed")


def senses_of_running_table(settings: Settings) -> Senses | None:
    """The senses from the running table's `/health`; None if no table answers at the settings' address."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.serve.host, settings.serve.host)
    host = f"[{here}]" if ":" in here else here
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        try:
            with opener.open(f"http://{host}:{settings.serve.port}/health", timeout=ASK_S) as answer:
                said = json.loads(answer.read(1 << 20))
        except urllib.error.HTTPError as red:  # 503: an unhealthy table is a table, too
            said = json.loads(red.read(1 << 20))
        return _senses(said)
    except http.client.HTTPException:  # something else listens there, and may not even speak HTTP
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _senses(said: dict[str, Any]) -> Senses:
    live = Senses(lambda change: None)
    if "game" not in said:
        raise ValueError("something else answers there")
    for source in said["sources"]:
        mend = str(source.get("mend") or "look at its plug; see: polartable devices")  # none while it is well
        dog = Watchdog(str(source["source"]), mend, 0.0, live.told, Patience())
        dog.state, dog.why = source["state"], str(source["why"])
        dog.mute = bool(source.get("mute", False))  # older tables do not send it
        if dog.state not in _STATES:
            raise ValueError(dog.state)
        live.dogs[dog.source] = dog
    return live
