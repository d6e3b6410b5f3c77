"""Home Assistant discovery: one device with its sensors, over the topics that the table publishes anyway.

Device-based discovery (https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload), retained.
"""

from __future__ import annotations

from typing import Any

from table.fleet.messages import topic

_OVER = "{% if value_json.over %}{{ value_json.over.text[:255] }}{% else %}{{ value_json.phase }}{% endif %}"

# entity → (platform, name, template of `state`, further keys)
_ENTITIES: dict[str, tuple[str, str, str, dict[str, str]]] = {
    "game": ("sensor", "Game", "{{ value_json.of }}", {"icon": "mdi:dice-multiple"}),
    "to_act": ("sensor", "To act", "{{ value_json.to_act | join(', ') }}", {"icon": "mdi:account-clock"}),
    "phase": ("sensor", "Phase", _OVER, {"icon": "mdi:progress-clock"}),
    "said": (
        "sensor",
        "Referee",
        "{{ (value_json.said.text if value_json.said else '')[:255] }}",
        {"icon": "mdi:gavel"},
    ),
    "asks": ("binary_sensor", "Waits for an answer", "{{ 'ON' if value_json.asks else 'OFF' }}", {}),
    "problem": (
        "binary_sensor",
        "Problem",
        "{{ 'OFF' if value_json.healthy else 'ON' }}",
        {"device_class": "problem", "entity_category": "diagnostic"},
    ),
}


def config_topic(discovery: str, table: str) -> str:
    return f"{discovery}/device/polartable_{table}/config"


def config(prefix: str, table: str, title: str, version: str) -> dict[str, Any]:
    """The discovery message of one table."""
    components = {
        key: {
            "platform": platform,
            "unique_id": f"polartable_{table}_{key}",
            "name": name,
            "value_template": template,
            **more,
        }
        for key, (platform, name, template, more) in _ENTITIES.items()
    }
    return {
        "device": {"identifiers": [f"polartable_{table}"], "name": title, "manufacturer": "Polartable"},
        "origin": {"name": "polartable", "sw_version": version},
        "components": components,
        "state_topic": topic(prefix, table, "state"),
        "availability_topic": topic(prefix, table, "online"),
        "availability_template": "{{ 'online' if value_json.online else 'offline' }}",
        "qos": 1,
    }
