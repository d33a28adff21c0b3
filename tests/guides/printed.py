"""What a script prints, and where two printouts differ.

SCRIPTS              programs as TensorFlow's guides write them; they import TensorFlow
printed_by(script)   what one of them printed under TensorFlow, from the file
differences(a, b)    where two printouts say different things, as sentences
"""

import math
import re
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
SCRIPTS = sorted((HERE / "scripts").glob("*.py"))

# A printed number carries up to 8 digits, and a loop of training chains hundreds of float32 roundings of 6e-8, which
# TensorFlow's kernels and NumPy's do in another order.
RELATIVE = 2e-5
# What cancels to almost nothing keeps the roundings of what it was made of.
ABSOLUTE = 2e-6

_TOKEN = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?|\w+|[^\w\s]")
_AROUND = 8


def recording_of(script: Path) -> Path:
    return HERE / "recorded" / f"{script.stem}.txt"


def printed_by(script: Path) -> str:
    """What a script printed when TensorFlow ran it."""
    return recording_of(script).read_text(encoding="utf-8")


def differences(ours: str, theirs: str) -> Iterator[str]:
    """Words must be equal and numbers close; where lines break depends on the last digits of numbers."""
    mine, yours = _TOKEN.findall(ours), _TOKEN.findall(theirs)
    for i, (one, other) in enumerate(zip(mine, yours, strict=False)):
        if not _agree(one, other):
            around = slice(max(0, i - _AROUND), i + _AROUND)
            yield f"'{' '.join(mine[around])}', TensorFlow: '{' '.join(yours[around])}'"
    if len(mine) != len(yours):
        yield f"{len(mine)} words and numbers, TensorFlow: {len(yours)}"


def _agree(one: str, other: str) -> bool:
    if one == other:
        return True
    try:
        return math.isclose(float(one), float(other), rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    except ValueError:
        return False
