"""Value types that are stricter than pydantic's."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

Pin: TypeAlias = "int | str"


def _no_truth(value: Any) -> Any:
    if isinstance(value, bool) or (isinstance(value, str) and value.strip().lower() in ("", "true", "false")):
        # `true` would become 1; from the environment it would be a pin of that name, as an empty text would be anywhere
        raise ValueError("write a number")
    return value


def _no_nothing(value: Any) -> Any:
    if value == "":
        raise ValueError("name a file, or leave it out")  # an empty path would be the working directory
    return value


Whole: TypeAlias = Annotated[int, BeforeValidator(_no_truth)]
GpioPin: TypeAlias = Annotated[int | str, BeforeValidator(_no_truth)]
File: TypeAlias = Annotated[Path, BeforeValidator(_no_nothing)]


def pins_apart(uses: Iterable[tuple[str, Pin | None]]) -> None:
    """Refuse one pin for two things; two spellings of the same gpiozero pin (17 and GPIO17) count as one."""
    known: defaultdict[str, list[str]] = defaultdict(list)
    for setting, pin in uses:
        if pin is None:
            continue
        same = known[str(pin).upper().removeprefix("GPIO").removeprefix("BCM")]
        same.append(setting)
        if len(same) > 1:
            context = {"pin": str(pin), "uses": same, "keys": setting.split(".")}
            raise PydanticCustomError("same_pin", "one pin is named twice", context)


def wires_apart(cubes: Iterable[str], ear: Iterable[tuple[str, str]], seat: str | None) -> None:
    """Refuse one serial port or sound input for two of cubes, seats of the ear, and counting seat.

    The second could not open it; or two seats would hear each shake, and it would count for both. Igloos of one port
    (`PORT#17`, `PORT#18`) are separate.
    """
    ports, whole, parts = set(cubes), dict[str, str](), dict[str, str]()
    for setting, source in (*ear, *([("taps.source", seat)] if seat is not None else ())):
        port = re.sub(r"#\d+$", "", source) if "/" in source else source  # an input may be called `USB#2`
        if port in ports:
            raise _same_wire("port", port, "cubes.ports", setting)
        for wire, known in ((source, whole), (port, whole), (source, parts)):
            if wire in known:
                raise _same_wire("port" if "/" in wire else "input", wire, known[wire], setting)
        whole[source] = setting
        parts[port] = setting


def _same_wire(kind: str, wire: str, first: str, second: str) -> PydanticCustomError:
    context = {"kind": kind, "wire": wire, "uses": [first, second], "keys": second.split(".")}
    return PydanticCustomError("same_wire", "one wire is named twice", context)
