"""How a folder flatters: what gives the counts away beside the beads, and takes that a profile knows already."""
