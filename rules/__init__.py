"""Four pure referees, a room each: `igloo_pop`, `ice_cult`, `igloo_igloo`, and `looney` for Andrew Looney's IGLOO.

States are values, and moves make new ones; a move that cannot be is refused, and told under which number. No input or
output, no clock, no floats, nothing of ours is imported here.
"""
