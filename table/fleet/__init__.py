"""Many tables and one hub: what a table tells a broker, and what follows all of them (docs/fleet.md).

Only what a spectator may know enters here; no position, no evidence, no sound.
"""
