"""A game in the terminal: drawn boards and a prompt. It knows no rule."""
