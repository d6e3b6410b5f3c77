"""From features to probabilities over counts, and how that is learned: ridges, populations, whole sets."""
