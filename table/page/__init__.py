"""What people see and touch: one page per browser, drawn only from `Desk.view` and live evidence.

Nothing here decides anything. NiceGUI is imported inside the functions that build a page, so that the rest of the table
works without it and starts quickly.
"""
