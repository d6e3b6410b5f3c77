"""A game in the terminal: drawn boards, the questions a person asks, and nothing of any rule."""
