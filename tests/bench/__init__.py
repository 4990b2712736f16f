"""Measuring, not testing: ``make bench`` prints a table, and nothing fails for being slow."""
