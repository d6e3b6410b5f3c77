"""The whole product on simulated hardware: simulated pieces and people below, the real table above.

Everything passes the real wires: bytes on pseudo-terminals, samples in a capture stream, levels on gpiozero's mock
pins. What the people *see* is `Desk.view`; what they *do* is move pieces and press buttons.
"""
