"""A folder of recordings: its list, what lines say together (one shake, a set, an occasion), what is recorded next."""
