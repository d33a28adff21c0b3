"""A small part of the random searches in `fuzzing`, and the inputs that they found, each as small as it gets."""

import functools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from courses import write_course
from endurance.fuzzing import grammar, programs
from endurance.fuzzing.inputs import Inputs
from endurance.fuzzing.mutations import Lines
from endurance.fuzzing.oracle import Search, empty_bounded_caches, requested
from endurance.fuzzing.programs import shortest

from minitape.course.authoring import lint
from minitape.course.course import lesson
from minitape.explain.pointing.calls import settings_of
from minitape.replay.numbers import array_of
from minitape.trace.events import Numbers
from minitape_cli.exits import ExitCode

pytestmark = pytest.mark.one_in(12)


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    """The search over damaged inputs; it records the traces that it starts from once."""
    return Inputs(tmp_path_factory.mktemp("inputs"))


def test_damaged_inputs_are_processed_or_rejected_with_a_message(damaged: Inputs) -> None:
    search = Search(damaged, said=lambda _: None)
    search.run(7, 10)
    assert search.finds == {}


def test_random_programs_run_as_without_a_tracer_and_can_be_explained(tmp_path: Path) -> None:
    found = programs.searched(tmp_path, 0, 2, said=lambda _: None)
    assert found.finds == {}


def test_bounded_caches_are_emptied_before_growth_is_measured() -> None:
    bounded, unbounded = functools.lru_cache(maxsize=4)(str), functools.cache(str)
    bounded(1), unbounded(1)
    empty_bounded_caches()
    assert (bounded.cache_info().currsize, unbounded.cache_info().currsize) == (0, 1)


def test_same_seed_writes_the_same_program() -> None:
    assert grammar.written(3) == grammar.written(3) != grammar.written(4)


def test_reduced_program_keeps_only_what_shows_the_fault() -> None:
    text = "a = 1\nif a:\n    b = 2\n    print(b)\nc = 3\n"
    assert shortest(text, lambda less: "b = 2" in less) == "if a:\n    b = 2\n"


# --- what the search over programs found ---


def test_defaults_of_all_kinds_of_parameters_are_found() -> None:
    program = "def f(p=1, /, q=2, *a, r, trainable=False, **k): pass\ng = lambda p=3, /, **k: p\n"
    values = {word: [each.value for _, each in settings_of(program, word)] for word in "pq"}  # type: ignore[attr-defined]
    assert values == {"p": [1, 3], "q": [2]}
    assert len(settings_of(program, "trainable")) == 1


# --- what the search over traces found ---


@pytest.fixture(scope="module")
def traces(damaged: Inputs) -> dict[str, Lines]:
    """The traces that the search starts from, by the names of their scripts."""
    return {each.events[0]["script"]: each for each in damaged.traces}


@pytest.fixture(scope="module")
def trace(traces: dict[str, Lines]) -> Lines:
    """The trace of a loop of three steps."""
    return traces["loop.py"]


def _without_targets(event: Any) -> None:
    if event["k"] == "gradient":
        event["target"] = []


def _contributions_to_the_variable(event: Any) -> None:
    """Each op sends its contributions to `w`, which only the first op has as an input."""
    if event["k"] == "back":
        for sent in event["out"]:
            sent["t"] = 1


def _scalar_seed_of_a_vector(event: Any) -> None:
    """The seed of a Jacobian has no axis for its rows, and the target is a vector."""
    if event["k"] == "gradient":
        event["api"] = "jacobian"
    if event["k"] == "seed":
        event["t"] = 1


def _cotangents_of_another_shape(event: Any) -> None:
    if event["k"] == "back":
        event["grad_in"] |= {"shape": [], "n": 1, "data": 1.0, "strip": None}


def _output_of_another_shape(event: Any) -> None:
    """A product has no elements, and complex ones; what is computed from it has one."""
    if event["k"] == "op" and event["name"] == "Mul":
        event["outputs"][0] |= {"shape": [0], "dtype": "complex64", "n": 0, "data": []}


def _dtype_without_a_meaning(event: Any) -> None:
    if event["k"] == "op" and event["name"] == "Cast":
        event["attrs"] = {"dtype": ""}


def _dtype_that_is_a_number(event: Any) -> None:
    if event["k"] == "op" and event["name"] == "Cast":
        event["attrs"] = {"dtype": 64}


def _complex_result_of_another_shape(event: Any) -> None:
    if event["k"] == "result" and event["T"] is not None:
        data = [[[1.0]]]
        event["T"] |= {"shape": [1, 1, 1], "dtype": "complex64", "n": 1, "data": data}


def _without_seeds(event: Any) -> None:
    """A Jacobian of four rows, of which no seed is recorded: its backward pass has one row."""
    if event["k"] == "seed":
        number = event["i"]
        event.clear()
        event |= {"i": number, "k": "note", "text": "a seed was here", "at": None, "stack": []}


def _outputs_of_no_dtype_on_tensorflow(event: Any) -> None:
    if event["k"] == "header":
        event |= {"engine": "tensorflow", "engine_version": "2.21.0"}
    if event["k"] == "op":
        for each in event["outputs"]:
            each["dtype"] = "float3"


def _written_again(trace: Lines, change: Callable[[Any], None], to: Path) -> Path:
    events = json.loads(json.dumps(trace.events))
    for event in events:
        change(event)
    to.write_text("".join(json.dumps(each) + "\n" for each in events))
    return to


@pytest.mark.parametrize(
    ("script", "change"),
    [
        ("loop.py", _without_targets),
        ("loop.py", _contributions_to_the_variable),
        ("loop.py", _scalar_seed_of_a_vector),
        ("model.py", _cotangents_of_another_shape),
        ("after_the_tape.py", _output_of_another_shape),
        ("integer_variable.py", _dtype_without_a_meaning),
        ("odd.py", _dtype_that_is_a_number),
        ("model.py", _outputs_of_no_dtype_on_tensorflow),
        ("parabola.py", _complex_result_of_another_shape),
        ("odd.py", _without_seeds),
    ],
)
@pytest.mark.parametrize(
    "look", [("explain",), ("graph", "--terms"), ("html", "-o", "{out}"), ("trace", "--audit")]
)
def test_inconsistent_trace_is_shown_as_far_as_possible(
    traces: dict[str, Lines],
    script: str,
    change: Callable[[Any], None],
    look: tuple[str, ...],
    tmp_path: Path,
) -> None:
    path = _written_again(traces[script], change, tmp_path / "t.jsonl")
    command, *rest = (each.format(out=tmp_path / "out.html") for each in look)
    code, _ = requested(command, path, *rest)
    assert code != ExitCode.USAGE


@pytest.mark.parametrize("data", [10**400, "1.0", -(2**64)])
def test_elements_that_do_not_fit_their_dtype_are_rejected(
    trace: Lines, data: object, tmp_path: Path
) -> None:
    def change(event: Any) -> None:
        if event["k"] == "variable" and event["T"]["shape"] == []:
            event["T"]["data"] = data

    code, _ = requested("graph", _written_again(trace, change, tmp_path / "t.jsonl"))
    assert code == 2


def test_integer_out_of_range_of_its_dtype_is_accepted_as_recorded() -> None:
    reported = Numbers(1, "x", [1], "int8", 1, 0, 1, 0.5, 0.5, 1.0, 0, 0, 0, [300])
    assert np.array_equal(array_of(reported), [300])


# --- what the search over courses found ---


@pytest.mark.parametrize("data", [b"\xff", b"def broken(:\n", b"x = '\x00'\n"])
@pytest.mark.parametrize("file", ["checks.py", "ex1_even.py", "../solutions/02_second/ex1_even.py"])
def test_unreadable_lesson_file_is_named(file: str, data: bytes, tmp_path: Path) -> None:
    taught = write_course(tmp_path / "course")
    (taught / "02_second" / file).write_bytes(data)
    faults = [*lint.written(lesson(taught / "02_second"), taught / "solutions")]
    is_read_later = "solutions" in file and data != b"\xff"  # its run tells
    assert is_read_later or Path(file).name in [fault.file.name for fault in faults]


def test_missing_solution_is_not_reported_as_a_fault_of_the_text(tmp_path: Path) -> None:
    taught = write_course(tmp_path / "course")
    assert list(lint.written(lesson(taught / "02_second"), tmp_path)) == []


def test_empty_course_and_wrongly_encoded_lesson_are_rejected_with_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught, student = write_course(tmp_path / "course"), tmp_path / "student"
    assert requested("lesson", "init", student, "--course", taught)[0] == 0
    monkeypatch.chdir(student)
    (student / "01_first" / "ex1_guess.py").write_bytes(b"\xe3")
    assert requested("lesson", "export", "1/1", "-o", tmp_path / "out")[0] == 2
    for toml in taught.glob("*/lesson.toml"):
        toml.write_text(toml.read_text().partition("[[exercises]]")[0])
    assert requested("lesson", "show")[0] == 2


def test_same_seed_makes_the_same_mutation(trace: Lines) -> None:
    from endurance.fuzzing.mutations import of_trace

    assert of_trace(random.Random(1), [trace]) == of_trace(random.Random(1), [trace])


def test_mutated_trace_can_be_mutated_again(trace: Lines) -> None:
    """The search makes up to four changes, and an earlier one may have shortened a list."""
    from endurance.fuzzing.mutations import of_trace

    events = [each | {"at": [1]} if "at" in each else each for each in trace.events]
    shortened = Lines.of("".join(json.dumps(each) + "\n" for each in events).encode())
    for seed in range(200):
        of_trace(random.Random(seed), [shortened])
