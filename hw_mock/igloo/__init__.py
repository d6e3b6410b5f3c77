"""Simulated igloos: glass beads in a plastic dome, the hand that shakes, the shell that rings, and the sensors.

Physics comes first: the bead dynamics (`beads`) give the contact forces, and every sensor hears the same forces. All
quantities are in SI units unless a name says otherwise; every range states its source, or the word "judgement".
"""
