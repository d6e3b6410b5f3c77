"""One shake as numbers: cut out and cleaned, its features, and a network's embedding of it."""
