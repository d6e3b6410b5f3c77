"""Recordings on disk, fitting, honest evaluation, reports, bulk work.

Accuracies are given with whole sessions left out, and a folder that would flatter is refused its number.
"""
