"""The odds from which the desk takes what was sensed without asking. Below them, it asks people and shows the odds."""

SURE = 0.9
