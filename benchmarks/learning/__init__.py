"""What ships with the product, learned on simulated sound alone: networks, profiles, likenesses, overlap's weights."""
