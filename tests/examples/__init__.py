"""The examples in other languages, and the commands in the docs, against the real service."""
