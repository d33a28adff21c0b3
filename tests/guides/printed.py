"""What a script prints, and where two printouts differ.

SCRIPTS              programs as TensorFlow's guides write them; they import TensorFlow
printed_by(script)   what one of them printed under TensorFlow, from the file
differences(a, b)    where two printouts say different things, as sentences
"""

from collections.abc import Iterator
from pathlib import Path

from minitape.trace.comparison import printouts

HERE = Path(__file__).parent
SCRIPTS = sorted((HERE / "scripts").glob("*.py"))


def recording_of(script: Path) -> Path:
    return HERE / "recorded" / f"{script.stem}.txt"


def printed_by(script: Path) -> str:
    """What a script printed when TensorFlow ran it."""
    return recording_of(script).read_text(encoding="utf-8")


def differences(ours: str, theirs: str) -> Iterator[str]:
    for mine, yours in printouts.differences(ours, theirs):
        yield f"'{mine}', TensorFlow: '{yours}'"
