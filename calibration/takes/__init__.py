"""From recordings to features, read once a front end and kept."""
