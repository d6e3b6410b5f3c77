"""What people see and touch: one page a browser, drawn from `Desk.view` and live evidence alone.

Nothing here decides anything. NiceGUI is imported inside the functions that build a page, so that the rest of the
table works without it and starts quickly.
"""
