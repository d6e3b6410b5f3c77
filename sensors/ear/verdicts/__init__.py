"""The verdict on a shake: sure, unsure with a reason and a remedy, or no shake at all; and whether the profile fits."""
