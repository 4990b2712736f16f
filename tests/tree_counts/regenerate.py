"""Counts the trees again and rewrites their file: ``python -m tests.tree_counts.regenerate``."""

import json

from tests.tree_counts.positions import PATH, count_again


def main() -> None:
    """Write the file, an entry per line."""
    entries = []
    for entry in count_again():
        print(f"{entry.name}: {entry.counts}")
        entries.append(json.dumps(entry._asdict()))
    PATH.write_text("[\n" + ",\n".join(entries) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
