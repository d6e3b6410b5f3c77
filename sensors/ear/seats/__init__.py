"""Several microphones at one table: whose shake it is, how neighbours leak into it, and the gain of each."""
