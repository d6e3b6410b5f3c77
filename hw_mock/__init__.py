"""Simulated hardware that speaks the real wire protocols: bead physics, hands, cubes, ports, sound, buttons, faults.

It is part of the product: the demo, the ear trainer and `polartable simulate` are built on it. It may import
`firmware_bridge` (and `rules` only inside `hw_mock.players`), so that everything above the wire is the real code.
"""
