"""A folder of recordings: its list, which lines belong together (shake, set, occasion), and what to record next."""
