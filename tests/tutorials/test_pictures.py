"""The picture of each lesson is what `minitape graph` draws of it today; `--update` draws it anew."""

import io

import msgspec
import pytest
from traced import run

from minitape import draw
from minitape.course.course import Lesson, course
from minitape.explain.explain import explain

LESSONS = [each for each in course().lessons if (each.folder / "picture.svg").exists()]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_the_picture_of_a_lesson_is_what_the_product_draws(
    lesson: Lesson, request: pytest.FixtureRequest
) -> None:
    options = msgspec.structs.asdict(lesson.picture)
    trace = run(lesson.folder / options.pop("file"), stdout=io.StringIO()).trace
    if options["values"] is None:
        del options["values"]
    picture = draw.picture(trace, explain(trace), **options)
    drawn = draw.render(picture, "svg", legend=False).data  # as the command does by itself
    kept = lesson.folder / "picture.svg"
    if request.config.getoption("--update"):
        kept.write_bytes(drawn)
    assert drawn == kept.read_bytes()
