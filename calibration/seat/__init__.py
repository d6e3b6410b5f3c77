"""The counting gesture on an elastic seat: taps recorded, fitted, tested and reported."""
