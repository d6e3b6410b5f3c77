"""The settings file: read whole, faults told with their lines, written whole, the last good text kept.

What can be set is in `table/config.py`.
"""
