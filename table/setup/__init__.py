"""Turns an installed package into a table that starts by itself (user, unit, udev rules, settings), and undoes that."""
