"""Many tables and one hub: what a table publishes to a broker, and the hub that follows all tables (docs/fleet.md).

Only what a spectator may know belongs here; no hidden position, no evidence, no sound.
"""
