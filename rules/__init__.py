"""Four pure referees, a room each: `igloo_pop`, `ice_cult`, `igloo_igloo`, and `looney` for Andrew Looney's IGLOO.

States are immutable values, and moves make new ones. An illegal move is refused with the number of the rule it breaks.
No input or output, no clock, no floats; nothing of ours is imported here.
"""
