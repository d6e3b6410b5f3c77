"""One shake as numbers: cut out and cleaned, its features, and what a network makes of it."""
