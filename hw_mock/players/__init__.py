"""Scripted players: what people at a table would do. This is the only place in hw_mock that may know the rules.

They see what a player may see (`view`) and act with their hands; nothing here talks to a service.
"""
