"""Training of what ships with the product, on simulated sound: networks, profiles, likenesses, overlap weights."""
