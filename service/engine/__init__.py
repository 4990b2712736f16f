"""The rules of Finspan: pure functions over values, on the standard library alone."""
