"""Writes docs/settings.md: every setting of the service.

Run it as ``python -m tests.settings_page``.
"""

from pathlib import Path
from typing import Final, get_args

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from service.settings import PREFIX, Settings

PAGE: Final = Path(__file__).parents[1] / "docs" / "settings.md"
HEAD: Final = """\
# Settings

The service reads its settings from the environment; `--host`, `--port` and `--workers` of `finspan serve` go
before theirs. A value that cannot be is refused at start, with the name of its variable. This page is written
by `python -m tests.settings_page` and not edited by hand.

| variable | default | what |
|---|---|---|
"""


def default_of(field: FieldInfo) -> str:
    """Return a setting's default as it would be written; nothing for a setting that is not set."""
    value = field.default
    if value in (None, "") or isinstance(value, SecretStr):
        return ""
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


def choices_of(field: FieldInfo) -> str:
    """Return the words that a setting can be, if it is one of some words."""
    words = [word for word in get_args(field.annotation) if isinstance(word, str)]
    return f" One of {', '.join(words)}." if words else ""


def row(name: str, field: FieldInfo) -> str:
    """Return the line of one setting."""
    return f"| `{PREFIX}{name.upper()}` | {default_of(field)} | {field.description}{choices_of(field)} |\n"


def page() -> str:
    """Return the page as it should be."""
    return HEAD + "".join(row(name, field) for name, field in Settings.model_fields.items())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
