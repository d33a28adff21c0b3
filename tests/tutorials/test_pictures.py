"""The picture of a lesson shows what its script does today."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from minitape.course.course import Lesson, course

pytestmark = pytest.mark.one_in(6)

LESSONS = course().lessons


def drawn(lesson: Lesson, to: Path) -> None:
    """`minitape graph`, with what lesson.toml says about the picture."""
    spec = lesson.picture
    given = {
        "--call": spec.call,
        "--view": spec.view,
        "--values": spec.values,
        "--cards": spec.cards,
    }
    options = [
        text for name, value in given.items() if value is not None for text in (name, str(value))
    ]
    options += [name for name, on in (("--path", spec.path), ("--unroll", spec.unroll)) if on]
    command = [sys.executable, "-m", "minitape_cli", "graph", str(lesson.folder / spec.file)]
    ran = subprocess.run(
        [*command, *options, "--on", "minitape", "-o", str(to)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr


def words(picture: Path) -> list[str]:
    """The texts of the picture; their positions depend on the layout program."""
    texts = ("".join(each.itertext()) for each in ElementTree.parse(picture).iter())
    return sorted({" ".join(text.split()) for text in texts})


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_picture_matches_its_lesson(
    lesson: Lesson, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    kept, fresh = lesson.folder / "picture.svg", tmp_path / "picture.svg"
    drawn(lesson, fresh)
    if request.config.getoption("--update"):
        kept.write_bytes(fresh.read_bytes())
    assert words(fresh) == words(kept)
