"""What is said of a shake: sure, unsure with a reason and a mend, or no shake at all; and whether the profile fits."""
