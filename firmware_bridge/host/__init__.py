"""What every room asks of the machine that it runs on: files that stand whole, names as they are spelled, signals and
processes that end as they should.

It stands here because all rooms may import this one and nothing below it. Nothing of a port, a packet or a sample may
enter, and the bridge itself asks nothing of it that is not the machine's.
"""
