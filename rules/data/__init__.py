"""Data files of the rules: nothing but data enters here."""
