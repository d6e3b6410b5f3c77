"""The ice giant: an opponent for Igloo Pop who hears the same shakes as everybody, no more.

He knows the view of his seat and what the ear made of each shake; the beads themselves he never sees.
"""
