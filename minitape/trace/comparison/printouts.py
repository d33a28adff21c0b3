"""Compares the output of two runs of one program.

    differences(one, other)    pairs of different texts, each with the surrounding words

Words must be equal and numbers close; line breaks are ignored, because NumPy's depend on the last digits of numbers.
"""

import math
import re
from collections.abc import Iterator

# A printed number has up to 8 digits. A training loop chains hundreds of float32 operations with a rounding error of 6e-8 each,
# and two engines run them in different orders.
RELATIVE = 2e-5
# A sum that nearly cancels has the rounding errors of its terms.
ABSOLUTE = 2e-6

_TOKEN = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?|\w+|[^\w\s]")
_AROUND = 8


def differences(
    one: str, other: str, *, relative: float = RELATIVE, absolute: float = ABSOLUTE
) -> Iterator[tuple[str, str]]:
    """Yield the differences between two outputs, and finally their lengths if these differ.

    >>> list(differences("loss 1.0000", "loss 1.0"))
    []
    >>> list(differences("loss 1.0", "loss nan"))
    [('loss 1.0', 'loss nan')]
    """
    mine, yours = _TOKEN.findall(one), _TOKEN.findall(other)
    for i, (a, b) in enumerate(zip(mine, yours, strict=False)):
        if not _agree(a, b, relative, absolute):
            around = slice(max(0, i - _AROUND), i + _AROUND)
            yield " ".join(mine[around]), " ".join(yours[around])
    if len(mine) != len(yours):
        yield f"{len(mine)} words and numbers", f"{len(yours)} words and numbers"


def _agree(one: str, other: str, relative: float, absolute: float) -> bool:
    if one == other:
        return True
    try:
        return math.isclose(float(one), float(other), rel_tol=relative, abs_tol=absolute)
    except ValueError:
        return False
