"""From recordings to features, read once for each front end and kept."""
