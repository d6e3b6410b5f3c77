"""Scripted players: what people at a table would do. The one place in this room that may know the rules.

They see what a player may see (`view`) and act with their hands; nothing here speaks to a service.
"""
