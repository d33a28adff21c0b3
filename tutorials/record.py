"""Write the output of each lesson to its expected.txt.

    python tutorials/record.py [LESSON ...]

If TensorFlow is installed, the lessons run on it, with their import line replaced. The files in the repository were created in
this way, and minitape must print the same output.
"""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

FOLDER = Path(__file__).parent


def printed(lesson: Path) -> str:
    """Return what a lesson prints on TensorFlow if it is installed, else on minitape."""
    text = lesson.read_text(encoding="utf-8")
    if find_spec("tensorflow") is not None:
        text = text.replace("import minitape as tf", "import tensorflow as tf")
    ran = subprocess.run([sys.executable, "-"], input=text, text=True, stdout=-1, check=True)
    return ran.stdout


def main(names: list[str]) -> None:
    for lesson in sorted(FOLDER.glob("*/lesson.py")):
        if not names or lesson.parent.name in names:
            (lesson.parent / "expected.txt").write_text(printed(lesson), encoding="utf-8")
            print(lesson.parent.name)


if __name__ == "__main__":
    main(sys.argv[1:])
