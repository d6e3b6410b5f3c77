"""Numbered checks of this machine: what is wrong, why, and the remedy. A check never raises and never waits long."""
