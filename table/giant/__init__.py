"""The ice giant: an opponent for Igloo Pop who hears the same shakes as everybody, and no more.

He knows his seat's view and what the ear made of each shake; he never sees the beads.
"""
