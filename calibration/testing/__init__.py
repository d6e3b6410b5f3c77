"""A profile asked about recordings, with whole sessions, devices or people left out."""
