"""The referee's desk: evidence is weighed against what is legal, written into the journal, then told.

No device is opened here and nothing is drawn; the clock and the journal are handed in.
"""
