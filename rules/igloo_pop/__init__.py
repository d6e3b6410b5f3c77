"""Igloo Pop (Heinz Meister and Klaus Zoch, 2003), rules IP-1 to IP-15: simultaneous play, hidden bead counts."""
