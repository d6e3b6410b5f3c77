"""`polartable devices`: every serial port and sound input, and why it is ours or not."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from firmware_bridge.clock import SystemClock
from firmware_bridge.errors import PortError, PortSilent, UsageError
from firmware_bridge.finding import PortFacts, facts_of, list_ports
from firmware_bridge.opening import check_device, is_url
from firmware_bridge.polar import BROADCAST
from firmware_bridge.probing import Probe, cannot_open, probe
from sensors.ear.sources.sound_server import hears_the_default, is_served, server_rate

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog="Example: polartable devices --json")
def devices(
    ports: Annotated[
        list[str] | None, typer.Argument(help="Only these ports (also pseudo-terminals).")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=0, help="How long to listen to each port; without it as long as it takes."),
    ] = None,
    listen: Annotated[bool, typer.Option(help="Open each port and listen; nothing is written to it.")] = True,
    identify: Annotated[
        int | None,
        typer.Option(min=0, max=255, help="Let this node of ours shine for five seconds (255: all of them)."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Serial ports and sound inputs: which of them are ours, and how that was told; exit 1 where a port that was named
    cannot be listened to, or no node was there to shine."""
    if identify is not None and not listen:
        raise UsageError("only a port that is listened to shows whether it is ours", "leave out --no-listen")
    known = list_ports()
    wanted = known if not ports else [facts_of(p, known) or _unlisted(p) for p in ports]
    probes = list[Probe]()
    for facts in wanted:
        found = probe(facts, SystemClock(), seconds, shine=identify) if listen else _by_facts(facts)
        probes.append(found)
        _say(_serial(facts, found), as_json, found.heard)
    if not ports:
        for entry in _sound():
            _say(entry, as_json)
        if not wanted and not as_json:
            print("no serial port is plugged in; `polartable cubes mock` works without one")
    dark = identify is not None and not any(found.shines for found in probes)
    if dark:
        print(f"polartable: {_nobody(identify or 0)}", file=sys.stderr)
    if dark or (ports and not all(found.heard for found in probes)):
        raise typer.Exit(1)


def _nobody(node: int) -> PortSilent:
    if node == BROADCAST:
        return PortSilent(
            "no node of ours spoke, so nobody was told to shine", "plug one in, or look at its power"
        )
    return PortSilent(
        f"node {node} spoke at none of these ports, so nobody was told to shine",
        "wake it, look at its power, or name one of those that spoke",
    )


def _unlisted(port: str) -> PortFacts:
    what = "an address" if is_url(port) else "a port that the system does not list, such as a pseudo-terminal"
    return PortFacts(device=port, description=what)


def _by_facts(facts: PortFacts) -> Probe:
    try:
        check_device(facts.device)
    except PortError as error:
        return cannot_open(error)
    if is_url(facts.device):
        return Probe(None, None, "an address shows nothing until it is opened; we did not listen")
    if facts.vid is None:
        return Probe(None, None, "it has no USB chip that would tell; we did not listen")
    if facts.chip is None:
        return Probe(False, None, "its chip is none that our nodes are sold with; we did not listen")
    return Probe(None, None, f"it is {facts.chip}; we did not listen")


def _serial(facts: PortFacts, found: Probe) -> dict[str, Any]:
    usb = None if facts.vid is None else f"{facts.vid:04x}:{facts.pid or 0:04x}"
    out: dict[str, Any] = {
        "kind": "serial",
        "device": facts.device,
        "description": facts.description,
        "usb": usb,
    }
    out |= {"lasting": facts.lasting, "ours": found.ours, "protocol": found.protocol}
    return out | {"nodes": list(found.nodes), "why": found.why}


def _sound() -> list[dict[str, Any]]:
    """Sound inputs, or one line that says why there are none."""
    try:
        import sounddevice

        found = [dict(d) for d in sounddevice.query_devices() if d["max_input_channels"] > 0]
    except (ImportError, OSError) as error:
        return [{"kind": "sound", "device": None, "ours": None, "why": f"sound cannot be listed: {error}"}]
    except Exception as error:  # PortAudio's own error class cannot be named without PortAudio
        return [{"kind": "sound", "device": None, "ours": None, "why": f"PortAudio: {error}"}]
    out = []
    served = [d["name"] for d in found if is_served(d["name"], d["max_input_channels"])]
    # query each only once
    at_server = {of: server_rate(of_default=of) for of in set(map(hears_the_default, served))}
    for d in found:
        by_server = at_server[hears_the_default(d["name"])] if d["name"] in served else None
        rate = round(by_server or d["default_samplerate"])
        why = f"a sound input with {d['max_input_channels']} channels at {rate} Hz: `polartable listen` can use it"
        out.append({"kind": "sound", "device": d["name"], "ours": None, "why": why})
    return out


def _say(entry: dict[str, Any], as_json: bool, heard: bool = True) -> None:
    if as_json:
        print(json.dumps(entry, ensure_ascii=False), flush=True)
        return
    mark = {True: "ours", False: "not ours", None: "perhaps"}[entry["ours"]] if heard else "not heard"
    nodes = f" [{', '.join(entry['nodes'])}]" if entry.get("nodes") else ""
    print(f"{entry['kind']:6} {entry['device'] or '–'}: {mark} – {entry['why']}{nodes}", flush=True)
