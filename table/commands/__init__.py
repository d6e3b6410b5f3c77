"""One module a sub-command; each is imported only when its command is called, so that `--help` stays quick."""
