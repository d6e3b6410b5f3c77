"""From samples to frames: energy envelopes in bands, the beginning and end of sounds in them, and clipping."""
