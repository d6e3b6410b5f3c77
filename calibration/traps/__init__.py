"""How a folder flatters: confounders that give the counts away, and takes that a profile knows already."""
