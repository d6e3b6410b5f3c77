"""`python -m table` is `polartable`."""

from table.cli import main

# also imported by processes that are started beside it, and by tools that look at modules
if __name__ == "__main__":
    main()
