"""Findings in programs that ran on TensorFlow: the same as on minitape, and what a good teacher would find."""

import io
import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import together
from explain import judge
from on_tensorflow.traced import a_part, received
from traced import run

import minitape as tf
from minitape.explain.explain import explain
from minitape.explain.report import Report, SourceReport
from minitape.trace import events
from minitape.trace.reading import read
from minitape.trace.trace import Trace

pytestmark = [pytest.mark.tensorflow, pytest.mark.timeout(900)]

HERE = Path(__file__).parent
CASES = sorted((HERE.parent / "explain/cases").glob("*/*.py"))
PROGRAMS: dict[str, Any] = json.loads((HERE / "programs.json").read_text(encoding="utf-8"))

# Sources whose first finding differs between the two engines' traces, and why that is right.
DIFFERENT = {
    ("new-variable_initial_value_function", "temperature"): "TensorFlow lets all tapes pause while a variable is "
    "made by a function: the recording has stopped before the new variable is there",
    ("healthy_faded_not_log_likelihood", "p"): "TensorFlow takes what is smaller than 1.2e-38 for 0, and NumPy does not",
    ("dataset_variable_in_map", "scale"): "TensorFlow computes what a dataset maps in a graph of its own, where nobody "
    "hears: known is only where it comes out",
    ("dataset_generator_of_embeddings", "table"): "as above",
    ("state-assign_maml_sinusoids", "sequential/dense/kernel"): "Keras copies weights through arrays of its own, which "
    "no tensor remembers",
    ("state-assign_maml_sinusoids", "sequential/dense/bias"): "as above",
    ("state-assign_maml_sinusoids", "sequential/dense_1/kernel"): "as above",
    ("state-assign_maml_sinusoids", "sequential/dense_1/bias"): "as above",
}  # fmt: skip

# Differences that have not been examined: another line, or another cause, for the same outcome.
UNEXAMINED = {
    ("control-flow_only_used_in_training", "net/dense_1/bias"),
    ("control-flow_only_used_in_training", "net/dense_1/kernel"),
    ("recreated-variable_growing_network", "sequential/hidden/bias"),
    ("recreated-variable_growing_network", "sequential/hidden/kernel"),
    ("recreated-variable_growing_network", "sequential/out/kernel"),
    ("unused-layer_generator_never_called", "sequential/dense/bias"),
    ("unused-layer_generator_never_called", "sequential/dense/kernel"),
    ("zero-init_residual_branches", "deep_network/re_zero/alpha"),
    ("zero-init_residual_branches", "deep_network/re_zero/branch/dense_1/bias"),
    ("zero-init_residual_branches", "deep_network/re_zero/branch/dense_1/kernel"),
    ("zero-init_residual_branches", "deep_network/re_zero/branch/dense_2/kernel"),
    ("zero-init_residual_branches", "deep_network/re_zero_1/alpha"),
    ("zero-init_residual_branches", "deep_network/re_zero_1/branch_1/dense_3/bias"),
    ("zero-init_residual_branches", "deep_network/re_zero_1/branch_1/dense_3/kernel"),
    ("zero-init_residual_branches", "deep_network/re_zero_1/branch_1/dense_4/kernel"),
    ("zero-init_residual_branches", "deep_network/re_zero_2/alpha"),
    ("zero-init_residual_branches", "deep_network/re_zero_2/branch_2/dense_5/bias"),
    ("zero-init_residual_branches", "deep_network/re_zero_2/branch_2/dense_5/kernel"),
    ("zero-init_residual_branches", "deep_network/re_zero_2/branch_2/dense_6/kernel"),
}


# Cases that are known to be missed may be missed in another way.
MISSED = {case.script for case in judge.CASES.values() if case.is_missed}

# What an error says of a value that left: the class that remembers its exit is no longer NumPy's own.
SAID_OTHERWISE = {"bad-target-type_numpy_mean"}


def first_findings(report: Report) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """For each source of each call: outcome, and slug, line and confidence of the first finding."""
    for call in report.calls:
        for source in call.sources:
            first = source.findings[0] if source.findings else None
            reported = (
                None if first is None else (first.slug, first.location.line, first.confidence)
            )
            yield source.name, (source.outcome, reported)


def on_minitape(script: Path) -> Trace:
    tf.keras.backend.clear_session()  # otherwise layer names would continue the numbering
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run(script, on="minitape", stdout=io.StringIO(), timeout=60, max_ops=0).trace


def without_addresses(text: str) -> str:
    """Two runs have their objects at different addresses."""
    return re.sub(r"0x[0-9a-f]+", "0x…", text)


def printed_otherwise(folder: Path, scripts: list[Path]) -> list[str]:
    """Scripts that print something else when they are traced."""
    texts = [
        [
            without_addresses((folder / f"{each.stem}.{how}").read_text())
            for how in ("plain", "heard")
        ]
        for each in scripts
    ]
    return [
        each.stem for each, (plain, traced) in zip(scripts, texts, strict=True) if plain != traced
    ]


def test_findings_equal_those_on_minitape(tensorflow_python: str, tmp_path: Path) -> None:
    cases = a_part(CASES, 4)
    names = {each.stem for each in cases}
    received(tensorflow_python, tmp_path, cases)
    assert set(printed_otherwise(tmp_path, cases)) == names.intersection(SAID_OTHERWISE)
    wrong, count = {}, 0
    for script in cases:
        own = list(first_findings(explain(on_minitape(script))))
        theirs = list(first_findings(explain(read(tmp_path / f"{script.stem}.jsonl"))))
        assert len(own) == len(theirs), script.stem
        for (name, expected), (_, found) in zip(own, theirs, strict=True):
            count += 1
            if expected != found and script not in MISSED:
                wrong[script.stem, name] = expected, found
    print(f"{count - len(wrong)} of {count} sources alike")
    expected_differences = {each for each in DIFFERENT.keys() | UNEXAMINED if each[0] in names}
    assert set(wrong) == expected_differences, wrong
    assert count > (2 if together.is_whole() else 1) * len(cases)


def scripts_of(name: str) -> list[Path]:
    return [HERE / PROGRAMS[name]["file"], HERE / PROGRAMS[name]["twin"]]


@pytest.fixture
def programs(request: pytest.FixtureRequest, tensorflow_python: str, tmp_path: Path) -> Path:
    """The folder with the traces of all programs of a test: TensorFlow starts once for them."""
    names = request.node.callspec.params["name"].values
    received(tensorflow_python, tmp_path, [each for name in names for each in scripts_of(name)])
    return tmp_path


@pytest.mark.together("name", PROGRAMS, parts=2, one_in=4)
def test_whole_programs(name: str, programs: Path) -> None:
    program, scripts = PROGRAMS[name], scripts_of(name)
    assert printed_otherwise(programs, scripts) == []
    trace, twin = (read(programs / f"{each.stem}.jsonl") for each in scripts)
    assert [each for _, each in first_findings(explain(twin)) if each != ("ok", None)] == []
    report = explain(trace)
    visits: dict[int | None, int] = {}
    missed = {(at, name) for at, each in enumerate(program["findings"]) for name in each["wrt"]}
    for call in report.calls:
        place = trace.events[call.event].at  # type: ignore[attr-defined]
        line = place.line if place else None
        visits[line] = visits.get(line, 0) + 1
        for source in call.sources:
            wanted = expected(program, line, visits[line], trace, source)
            if wanted is None:
                assert source.outcome == "ok", (line, visits[line], source)
            else:
                number, finding = wanted
                check(finding, source)
                missed.discard((number, wanted_name(finding, trace, source) or ""))
    assert not missed


def expected(
    program: Any, line: int | None, visit: int, trace: Trace, source: SourceReport
) -> tuple[int, Any] | None:
    """The entry of programs.json for a source, and its index."""
    for number, finding in enumerate(program["findings"]):
        is_here = line == finding["line"] and visit >= finding["visit"]
        if is_here and wanted_name(finding, trace, source) is not None:
            return number, finding
    return None


def wanted_name(finding: Any, trace: Trace, source: SourceReport) -> str | None:
    """Which of a finding's sources this is: by its path, its name, or its name in the program."""
    paths = [
        each.name.partition(":")[0]
        for each in trace.of(events.VariableEvent)
        if each.variable == source.value
    ]
    own = re.sub(r" \(sources\[\d+\]\)$", "", source.name)
    names = {own, own.rpartition(".")[2], *paths}
    return next((each for each in finding["wrt"] if each in names), None)


def check(finding: Any, source: SourceReport) -> None:
    first = source.findings[0]
    assert source.outcome == finding["outcome"]
    assert first.slug in (finding["cause"], *finding["accept_causes"])
    assert first.location.line in (*finding["culprit_lines"], *finding["accept_lines"])
