"""The ear trainer for one: a rattle, a guess, the truth; which counts one confuses is kept.

No page and no device is opened here. Simulated igloos shake in a process beside the table, so that nothing waits.
"""
