"""`python -m table` is `polartable`."""

from table.cli import main

main()
