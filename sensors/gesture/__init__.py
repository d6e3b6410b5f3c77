"""The counting gesture at an elastic seat: taps in a stream, tones, weights, counts, and a coach (docs/gesture.md).

Gestures of an igloo in the hand belong to the ear (`sensors.ear.shakes.moves`). Nothing here knows ports, files or
screens.
"""
