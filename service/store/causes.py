"""Why a store does not answer, in a word that can be logged: the kind of error, never its text."""


def cause_of(error: Exception) -> str:
    """Return the kind of the innermost error that led to this one.

    An explicit cause always counts. What was being handled meanwhile counts only if it came from the
    operating system: redis-py wraps such an error without naming it as the cause.
    """
    inner = error.__cause__ or error.__context__
    if isinstance(inner, Exception) and (error.__cause__ is not None or isinstance(inner, OSError)):
        return cause_of(inner)
    return type(error).__name__
