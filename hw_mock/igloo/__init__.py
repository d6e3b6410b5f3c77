"""Shaken igloos: glass beads in a plastic dome, the hand that shakes, the shell that rings, and what sensors get of it.

Physics first: contact forces come out of the bead dynamics (`beads`), and every sensor hears the same forces. All
quantities in SI units unless a name says otherwise; every range states its source, or the word "judgement".
"""
