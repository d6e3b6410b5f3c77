"""The referee's protocol (docs/contracts.md 2): one line in, one line out. Nothing here reads or writes a stream."""
