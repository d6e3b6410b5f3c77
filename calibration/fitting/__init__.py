"""A profile from recordings: where a fit starts, what that is worth, and what the profile records of its takes."""
