"""Four pure referees: Igloo Pop, Ice Cult, Igloo Igloo, Andrew Looney's IGLOO.

States are values; `play(state, move)` gives a new state and what happened, or a refusal with the rule's number. No
input or output, no clock, no floats, nothing of ours is imported here.
"""
