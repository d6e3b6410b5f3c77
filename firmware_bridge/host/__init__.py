"""What every room needs from the machine: whole files, names as they are spelled, signals and ending processes.

It is here because all rooms may import this package, and nothing below it. It must know nothing of ports, packets or
samples, and the bridge itself uses it only for the machine.
"""
