"""Data files of the rules; no code."""
