"""How many ways lead how far from certain positions, as chess programs count them (perft).

A wrong, missing or doubled move almost anywhere changes a count, and the first depth that differs leads to
it.
"""
