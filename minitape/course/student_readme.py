"""The README of a course folder, for the student.

readme   its text
"""

from __future__ import annotations

from minitape.course.course import Course

_TEXT = """\
# {title}

This folder is yours: {exercises} exercises in {lessons} lessons, about {hours} hours of exercises. Read a
lesson, run it, then do its exercises.

```sh
python {first}
minitape lesson            # continues where you are, and checks the file whenever you save it
```

## An exercise

Each exercise is one file. Read the task at its top, and write your answer between the lines `# TODO` and `# END`. Leave the other
lines as they are: the checks use the original ones.

| command | what it does |
| --- | --- |
| `minitape lesson` | opens the next exercise, and checks its file whenever you save it; the last line lists the keys |
| `minitape lesson list` | lists all exercises and shows which of them you have passed |
| `minitape lesson run 03/ex2` | checks one exercise once |
| `minitape lesson hint 03/ex2` | shows the next of three hints: a question, the location, and a similar problem |
| `minitape lesson see 03/ex2` | draws what your file recorded on its tape |
| `minitape lesson reset 03/ex2` | restores the original file, and keeps yours in `.minitape/backup` |

Predict the result before you run a program; that is how you learn from it. If an exercise shows a wrong result, look for the
cause yourself first. The explanation is available after your second attempt.

## In a notebook

`minitape lesson export` writes all lessons and exercises as notebooks into the folder `notebooks`. The last cell of an
exercise checks it:

```text
%load_ext minitape
%check 03/ex2
```

`%hint 03/ex2` shows a hint.

## Lessons

| # | lesson | exercises | minutes for the exercises |
| --- | --- | --- | --- |
{table}

## Submitting

Submit this folder, zipped or not, or the notebooks. Your progress is in `.minitape/progress.json`; nothing is sent anywhere.
"""


def readme(course: Course, track: str) -> str:
    """Return the text of the README of a course folder.

    Args:
        course: The course.
        track: `full` or `fast`.
    """
    exercises = course.track(track)
    of_lesson = {
        lesson.name: [each for each in exercises if each.lesson == lesson.name]
        for lesson in course.lessons
    }
    rows = [
        f"| {lesson.number} | [{lesson.title}]({lesson.name}/{lesson.script.name}): {lesson.goal} "
        f"| {len(of_lesson[lesson.name])} | {sum(each.minutes for each in of_lesson[lesson.name])} |"
        for lesson in course.lessons
    ]
    minutes = sum(each.minutes for each in exercises)
    return _TEXT.format(
        title=course.title,
        exercises=len(exercises),
        lessons=sum(bool(each) for each in of_lesson.values()),
        hours=max(1, round(minutes / 60)),
        first=f"{course.lessons[0].name}/{course.lessons[0].script.name}",
        table="\n".join(rows),
    )
