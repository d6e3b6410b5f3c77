"""Tests a profile on recordings, with whole sessions, devices or people left out."""
