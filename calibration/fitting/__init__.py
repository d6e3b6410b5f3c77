"""A profile from recordings: where a fit starts, what it is worth, and what it keeps of its takes."""
