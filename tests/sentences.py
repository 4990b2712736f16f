"""What every text of the game must look like."""


def is_label(text: str) -> bool:
    """Return whether a text is one line that begins with a capital and ends with a word."""
    return text == " ".join(text.split()) and text[0].isupper() and text.rstrip(")")[-1].isalnum()


def is_sentence(text: str) -> bool:
    """Return whether a text is one line that begins with a capital and ends with its only full stop."""
    return is_label(text[:-1]) and text.endswith(".") and text.count(".") == 1
