"""Recordings on disk, fitting, honest evaluation, reports, bulk work.

Accuracies are given with whole sessions left out; for a folder whose figures would flatter none is given.
"""
