"""Names as they appear in a sentence: code in backticks, words without."""

from minitape.explain.causes.rewriting import parsed
from minitape.explain.causes.texts import code


def named(text: str) -> str:
    """A name in backticks if it is code (`model.w`), plain if it is words (the target, a value).

    A name may be an expression that was cut to its first characters: that is code too.
    """
    return code(text) if text.endswith("...") or parsed(text) is not None else text
