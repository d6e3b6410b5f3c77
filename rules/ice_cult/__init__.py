"""Ice Cult (Joe Wetherell, Zoch 2016), rules IC-1 to IC-21: everything is public, nothing is random but who begins."""
