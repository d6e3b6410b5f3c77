"""Remedies that name a command's options, in the words of whoever has a settings file instead."""

from __future__ import annotations

from sensors.ear.sources.igloo_port import OF_A_SEAT

IN_TAPS = "a counting seat is named in [taps] of the settings, with its own profile, and not in [ear]"


def at_table(why: str) -> str:
    """Why a sensor is not heard, with the remedy for a table."""
    return why.replace(OF_A_SEAT, IN_TAPS)
