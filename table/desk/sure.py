"""From which odds on the desk takes what was sensed without asking. Below, people are asked, with the odds."""

SURE = 0.9
