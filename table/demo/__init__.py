"""The whole product on simulated hardware: simulated pieces and people below, the real table above.

Everything passes the real channels: bytes on pseudo-terminals, samples in a capture stream, levels on gpiozero's mock
pins. People *see* only `Desk.view`, and *act* only by moving pieces and pressing buttons.
"""
