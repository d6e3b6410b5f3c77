"""The settings file: read and written whole, each fault reported with its line, the last good text kept.

`table/config.py` defines what can be set.
"""
