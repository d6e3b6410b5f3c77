"""Simulated pieces that speak the real wires: bead physics, hands, cubes, ports, sound, buttons, faults.

Part of the product: the demo, the ear trainer and `polartable simulate` stand on it. It may import `firmware_bridge`
(and `rules` only inside `hw_mock.players`), so that everything above the wire is the real code.
"""
