"""The texts of a page, each stored once."""


class Texts(dict[str, int]):
    """`texts[words]` is the index of a text; a text gets its index at its first use.

    >>> texts = Texts()
    >>> texts["rule"], texts["sum"], texts["rule"], [*texts]
    (0, 1, 0, ['rule', 'sum'])
    """

    def __missing__(self, words: str) -> int:
        at = self[words] = len(self)
        return at
