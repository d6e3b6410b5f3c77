"""From samples to frames: energy envelopes in bands, where sound begins and ends in them, and where it was cut off."""
