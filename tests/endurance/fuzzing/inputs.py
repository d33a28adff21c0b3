"""Fuzzing: a random search over modified traces, notebooks and courses.

    python tests/endurance/fuzzing/inputs.py --mutations 100000 --seed 0

Of ten mutations, six are of traces, two of notebooks and two of courses. Each is passed to the commands that read such a file,
which must either work or refuse it with a message. Exit code 70, a hang and growing memory are faults; each kind is reported
once, with its seed.
"""

import argparse
import contextlib
import io
import json
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

import typer
from courses import EXERCISES, write_course
from endurance.fuzzing import mutations
from endurance.fuzzing.mutations import Lines
from endurance.fuzzing.oracle import Search, limit_memory, no_fault_of_ours, requested, within
from traced import run

from minitape.course.authoring import lint
from minitape.course.course import Course, course, lesson
from minitape.course.grading.answers import answers, hints
from minitape.course.grading.submissions import found
from minitape.course.notebooks import notebook
from minitape.errors import CourseError, TraceError
from minitape.examples import catalog
from minitape.fixes.text.syntax import Joined
from minitape.run.program import Program, with_tensorflow
from minitape.trace.reading import read
from minitape_cli import options, views

PROGRAMS = {
    "loop": """\
import tensorflow as tf
w, count = tf.Variable([1.0, -2.0]), tf.Variable(0, trainable=False)
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.nn.relu(w) ** 2)
    (g,) = tape.gradient(loss, [w])
    w.assign_sub(0.1 * g)
    count.assign_add(1)
""",
    "model": """\
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(3, "relu"), tf.keras.layers.Dense(1)])
x = tf.random.normal([4, 2])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(x) ** 2)
tape.gradient(loss, model.trainable_variables)
""",
    "odd": """\
import numpy as np, tensorflow as tf
tf.debug.note("half way ✂") if hasattr(tf, "debug") else None
x, big = tf.Variable([1.0, 2.0]), tf.Variable(np.ones((80, 70), np.float32))
with tf.GradientTape(persistent=True) as tape:
    y = x * x + tf.cast(tf.constant([1 + 2j, 3j]), tf.float32)
    z = tf.math.log(tf.constant([0.0, -1.0])) * x
    rows = tf.gather(big, [1, 1, 5]) @ tf.ones([70, 1])
tape.jacobian(y, x)
tape.gradient(z, [x, big])
tape.gradient(rows, big)
x.there_is_none
""",
    "inside": """\
import tensorflow as tf
@tf.custom_gradient
def half(x):
    return tf.identity(x), lambda upstream: upstream * 0.5
def pow(x, n): return x if n == 0 else half(x) * pow(x, n - 1)
x = tf.constant(2.0)
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = pow(x, 3)
    slope = inner.gradient(y, x, output_gradients=tf.constant(3.0))
outer.gradient(slope, {"x": x}, unconnected_gradients="zero")
""",
}
_MAGICS = "%matplotlib inline\n!ls\nx?\n"

# The commands that read a trace; `{out}` is a file that the command may write.
LOOKS: tuple[tuple[str, ...], ...] = (
    ("explain",),
    ("explain", "--json"),
    ("explain", "--brief"),
    ("explain", "--format", "github"),
    ("explain", "--evidence"),
    ("explain", "--call", "1"),
    ("trace",),
    ("trace", "--json"),
    ("trace", "--format", "jsonl"),
    ("trace", "--unroll"),
    ("trace", "--audit"),
    ("graph",),
    ("graph", "--unroll", "--values", "full"),
    ("graph", "--format", "svg", "-o", "{out}"),
    ("graph", "--format", "dot", "-o", "{out}"),
    ("graph", "--format", "mermaid", "-o", "{out}"),
    ("graph", "--terms"),
    ("graph", "--view", "backward", "--cards", "3"),
    ("html", "-o", "{out}"),
    ("html", "--call", "1", "--cards", "2", "-o", "{out}"),
    ("step", "--text"),
    ("step", "--brief", "--at", "problem"),
    ("diff", "{other}"),
    ("diff", "{other}", "--json", "--all"),
    ("diff", "{other}", "--html", "-o", "{out}"),
)


class Inputs:
    """The files to modify, and the folder for the modified files.

    Args:
        folder: An empty folder.
        known: Whether to use inputs that are known to cause faults; see `oracle.requested`.
    """

    def __init__(self, folder: Path, *, known: bool = False) -> None:
        self.folder = folder
        self.known = known
        self._here = Path.cwd()

    def __call__(self, seed: int) -> str:
        """Try one mutation; return the result."""
        r = random.Random(seed)
        kind = r.randrange(10)
        if kind < 6:
            return self.trace(r)
        return self.notebook(r) if kind < 8 else self.course(r)

    # --- traces ---

    @cached_property
    def traces(self) -> tuple[Lines, ...]:
        """Return the traces of the examples, and of programs with further events."""
        scripts = [each.path for each in catalog()]
        for name, text in PROGRAMS.items():
            path = self.folder / f"{name}.py"
            path.write_text(text)
            scripts.append(path)
        with contextlib.redirect_stderr(io.StringIO()):
            ran = [run(each, on="minitape", stdout=io.StringIO(), seed=0) for each in scripts]
        found = tuple(Lines.of(views.jsonl(each.trace)) for each in ran)
        for number, trace in enumerate(found):
            (self.folder / f"whole{number}.jsonl").write_bytes(trace.data)
        return found

    def trace(self, r: random.Random) -> str:
        data = mutations.of_trace(r, self.traces, control=self.known)
        path = self.folder / "t.jsonl"
        path.write_bytes(data)
        try:
            with within(20, "reading a trace"), no_fault_of_ours("read", TraceError):
                read(path)
        except TraceError as error:
            assert error.fix is not None
            if r.random() < 0.95:
                return "trace refused"
        look = r.choice(LOOKS)
        other = self.folder / f"whole{r.randrange(len(self.traces))}.jsonl"
        command, *rest = (each.format(out=self.folder / "out", other=other) for each in look)
        requested(command, path, *rest, refuses_control_characters=self.known)
        return "trace shown"

    # --- notebooks ---

    @cached_property
    def notebooks(self) -> tuple[bytes, ...]:
        texts = [
            *(each.path.read_text(encoding="utf-8") for each in catalog()),
            *PROGRAMS.values(),
            *(text for *_, text in EXERCISES.values()),
        ]
        made = [notebook("# %%\n" + text.replace("\nwith ", "\n# %%\nwith ")) for text in texts]
        if self.known:
            for each in made[::3]:
                each["cells"][0]["source"] = _MAGICS + each["cells"][0]["source"]
        return tuple(json.dumps(each, indent=1).encode() for each in made)

    def notebook(self, r: random.Random) -> str:
        taught = self.taught
        data = r.choice(self.notebooks)
        if r.random() < 0.3:
            data = mutations.of_bytes(r, data, self.notebooks)
        else:
            whole = mutations.of_json(r, json.loads(data), control=self.known)
            data = json.dumps(whole, ensure_ascii=r.random() < 0.5).encode("utf-8", "replace")
        if self.known and r.random() < 0.05:
            data = r.choice((b"\xef\xbb\xbf" + data, b"[" * 100_000))
        path = self.folder / "ex1_guess.ipynb"
        path.write_bytes(data)
        with within(20, "reading a notebook"), no_fault_of_ours("reading", typer.BadParameter):
            try:
                program = options.program(str(path))
            except typer.BadParameter:
                if r.random() < 0.02:
                    requested("explain", path)
                return "notebook refused"
            assert isinstance(program, Program)
            with_tensorflow(program)
            with contextlib.suppress(SyntaxError):
                _ = Joined(program.parts).tree
        with within(20, "a notebook handed in"), no_fault_of_ours("answers", CourseError):
            (handed_in,) = found([path], taught)
            list(answers(handed_in, taught, taught.exercises))
            hints(handed_in)
        if r.random() < 0.002:
            requested(*r.choice((("explain",), ("trace",), ("run",))), path, "--timeout", "5")
            return "notebook run"
        return "notebook read"

    # --- courses ---

    @cached_property
    def courses(self) -> tuple[Path, ...]:
        """Return a small course, and three lessons of the course that ships."""
        small = write_course(self.folder / "small")
        ours = self.folder / "ours"
        whole = course()
        ours.mkdir()
        (ours / "course.toml").write_text('title = "Ours"\nversion = "1"\n')
        for each in whole.lessons[:8:3]:
            shutil.copytree(each.folder, ours / each.name)
        for each in (small, ours):
            code, _ = requested(
                "lesson", "init", self.folder / f"{each.name}-student", "--course", each
            )
            assert code == 0
        return small, ours

    @cached_property
    def taught(self) -> Course:
        return course(self.courses[0])

    def course(self, r: random.Random) -> str:
        original = r.choice(self.courses)
        student = self.folder / f"{original.name}-student"
        if r.random() < 0.2:
            return self._in_changed(r, student, original, student)
        return self._in_changed(r, original, original, student)

    def _in_changed(self, r: random.Random, changed: Path, taught: Path, student: Path) -> str:
        """Run commands on a course in which one file of a folder is modified."""
        suffixes = (".toml", ".toml", ".toml", ".py", ".json")
        files = [each for each in changed.rglob("*") if each.suffix == r.choice(suffixes)]
        if not files:
            return "course untouched"
        file = r.choice(sorted(files))
        before = file.read_bytes()
        kept = {each: each.read_bytes() for each in student.rglob("*") if each.is_file()}
        if file.suffix == ".toml":
            after = _other_toml(r, before.decode(), control=self.known)
        elif file.suffix == ".json" and r.random() < 0.7:
            whole = mutations.of_json(r, json.loads(before), control=self.known)
            after = json.dumps(whole).encode()
        else:
            after = mutations.of_bytes(r, before)
        try:
            file.write_bytes(after)
            if r.random() < 0.1:
                file.unlink()
            return self._ask_about(r, taught, student)
        finally:
            file.write_bytes(before)
            for each in [each for each in student.rglob("*") if each.is_file()]:
                if each not in kept:
                    each.unlink()
            for each, data in kept.items():
                each.write_bytes(data)

    def _ask_about(self, r: random.Random, taught: Path, student: Path) -> str:
        lessons = sorted(each.parent for each in taught.glob("*/lesson.toml"))
        solutions = taught / "solutions" if r.random() < 0.5 else None
        came = "course read"
        with within(20, "reading a course"), no_fault_of_ours("a course", CourseError):
            try:
                course(taught)
                for each in lessons:
                    list(map(str, lint.written(lesson(each), solutions)))
            except CourseError:
                came = "course refused"
        if r.random() < 0.3:
            name = r.choice(("", "ex1", "1/2", "01", "1/ex1", "02_second", "x"))
            names = (name,) if name else ()
            command = r.choice(("list", "hint", "show", "export", "reset"))
            rest = {"list": ("--json",), "export": (*names, "-o", self.folder / "out-notebooks")}
            os.chdir(student)
            try:
                requested("lesson", command, *rest.get(command, names), stdin="y\n")
            finally:
                os.chdir(self._here)
            return "course asked"
        return came


def _other_toml(r: random.Random, text: str, *, control: bool) -> bytes:
    """Modify lines, or the value of a key. Valid TOML reaches the most code."""
    lines = text.splitlines()
    keyed = [number for number, line in enumerate(lines) if " = " in line]
    if r.random() < 0.4 or not keyed:
        changed = mutations.of_text(r, text, control=control)
        return changed.encode() if r.random() < 0.9 else mutations.of_bytes(r, changed.encode())
    for number in r.sample(keyed, r.choice((1, 1, 2)) if len(keyed) > 1 else 1):
        key, _, value = lines[number].partition(" = ")
        kind = r.randrange(4)
        if kind == 0:
            value = _toml(mutations.odd(r, control=control))
        elif kind == 1:
            value = lines[r.choice(keyed)].partition(" = ")[2]
        elif kind == 2:
            key = r.choice([lines[each].partition(" = ")[0] for each in keyed])
        else:
            value = r.choice(
                ("inf", "nan", "1979-05-27", "[]", "{}", '""', "-1", "9" * 30, "1e400")
            )
        lines[number] = f"{key} = {value}"
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def _toml(value: Any) -> str:
    """Return a value as TOML. JSON's syntax is similar enough; a difference is just another mutation."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "[]"


def searched(
    folder: Path,
    first: int,
    count: int,
    *,
    known: bool = False,
    said: Callable[[str], None] = print,
) -> Search:
    """Try mutations; return the results."""
    search = Search(Inputs(folder, known=known), said)
    search.run(first, count)
    return search


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="fuzzing-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main(args: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutations", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="of the first one")
    parser.add_argument(
        "--with-known", action="store_true", help="include inputs that are known to cause faults"
    )
    given = parser.parse_args(args)
    limit_memory()
    with _folder() as folder:
        tried = searched(folder, given.seed, given.mutations, known=given.with_known)
    return 0 if tried.is_clean else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
