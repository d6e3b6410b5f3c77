"""The ear trainer for one person: hear a rattle, guess, learn the truth; it records which counts one confuses.

It opens no page and no device. Simulated igloos are computed in a process beside the table, so that nothing blocks.
"""
