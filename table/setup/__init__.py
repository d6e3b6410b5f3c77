"""From an installed package to a table that starts by itself: user, unit, udev rules, settings; and all of it back."""
