"""Several microphones at one table: whose shake is it, what neighbours put into it, and how loud each is set."""
