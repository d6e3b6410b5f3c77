"""The referee's desk: it weighs evidence against the legal moves, writes the act into the journal, then tells people.

It opens no device and draws nothing; clock and journal are passed in.
"""
