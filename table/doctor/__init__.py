"""Numbered checks of this machine: what is wrong, why, how to mend it. A check never raises and never waits long."""
