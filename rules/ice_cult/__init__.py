"""Ice Cult (Joe Wetherell, Zoch 2016), rules IC-1 to IC-21: all is public, and only the starting player is random."""
