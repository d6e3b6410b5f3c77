"""One module per sub-command; each is imported only when its command is called, so that `--help` stays fast."""
