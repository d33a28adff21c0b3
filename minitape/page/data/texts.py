"""The words of a page, each told once."""


class Texts(dict[str, int]):
    """`texts[words]` is the position of these words among all; they get one when they are first asked for.

    >>> texts = Texts()
    >>> texts["rule"], texts["sum"], texts["rule"], [*texts]
    (0, 1, 0, ['rule', 'sum'])
    """

    def __missing__(self, words: str) -> int:
        at = self[words] = len(self)
        return at
