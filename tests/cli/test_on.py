"""`--on`, `--trace-calls`: which engine a script runs on,
and how long it is watched. TensorFlow is played by a small package here."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.one_in(3)

# What stands beside a script as `tensorflow`, and cannot be heard.
PLAYED = """\
import sys
is_seen_by_the_loader = "exec_module" in vars(__loader__)
__version__ = "9.9"
"""

HOW_IT_WAS_IMPORTED = """\
import sys
before = list(sys.meta_path)
import tensorflow as tf
gone = [type(each).__name__ for each in before if each not in sys.meta_path]
print(tf.__version__, tf.is_seen_by_the_loader, vars(tf.__loader__).keys(), tf.__spec__.loader is tf.__loader__)
print("gone:", gone)
"""

MINITAPE_FIRST = """\
import minitape as mt
w = mt.Variable(3.0)
with mt.GradientTape() as tape:
    y = w * w
import tensorflow
print("slope", float(tape.gradient(y, w)))
"""

ITERATIONS = """\
import minitape as tf
w = tf.Variable(1.0)
for step in range(30):
    with tf.GradientTape() as tape:
        loss = tf.square(w)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print("end", f"{float(w):.6f}")
"""


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A TensorFlow beside the script."""
    package = tmp_path / "tensorflow"
    package.mkdir()
    (package / "__init__.py").write_text(PLAYED)
    return package


# --- which engine ---


def test_what_is_installed_is_imported_as_without_us(
    minitape: Any, written: Any, played: Path
) -> None:
    """Our finder is gone when it has seen what it waited for, and the loader is as Python made it."""
    ran = minitape("run", written(HOW_IT_WAS_IMPORTED), "--no-summary")
    first, second = ran.stdout.splitlines()
    assert first == "9.9 False dict_keys(['name', 'path']) True"
    assert second == "gone: ['Arrival']"


def test_what_cannot_be_heard_runs_to_its_end_and_a_remark_says_why(
    minitape: Any, written: Any, played: Path
) -> None:
    ran = minitape("explain", written(HOW_IT_WAS_IMPORTED))
    assert ran.exit_code == 6
    assert "9.9" in ran.stderr
    assert "could not trace it: TensorFlow 9.9 has no tensorflow.python" in " ".join(
        ran.stderr.split()
    )
    assert ran.stdout == "The script was not traced, so there is nothing to explain.\n"


@pytest.mark.parametrize("command", ["graph", "html", "step", "trace", "run"])
def test_nothing_is_said_of_tapes_that_nobody_heard(
    minitape: Any, written: Any, played: Path, command: str
) -> None:
    ran = minitape(command, written("import tensorflow\n"))
    assert "tape" not in ran.stdout + ran.stderr.replace("minitape", "")
    assert "could not trace it" in ran.stderr


def test_json_says_what_a_run_that_nobody_heard_was_on(
    minitape: Any, written: Any, played: Path
) -> None:
    whole = json.loads(minitape("explain", written("import tensorflow\n"), "--json").stdout)
    assert whole["ran_on"] == {"engine": "tensorflow", "version": None}
    assert len(whole["diagnostics"]) == 1


@pytest.mark.parametrize("options", [["--on", "minitape"], ["--as-tensorflow"]])
def test_minitape_answers_where_it_is_asked_for(
    minitape: Any, healthy: Path, played: Path, options: list[str]
) -> None:
    ran = minitape("explain", healthy, "--json", *options)
    assert ran.exit_code == 0
    whole = json.loads(ran.stdout)
    assert whole["ran_on"]["engine"] == "minitape"
    assert whole["ran_on"]["version"] == whole["version"]
    assert whole["diagnostics"] == []


def test_a_folder_of_that_name_is_no_tensorflow(
    minitape: Any, healthy: Path, tmp_path: Path
) -> None:
    """Python would import it as an empty package, and the script would have no chance."""
    (tmp_path / "tensorflow").mkdir()
    assert minitape("explain", healthy).exit_code == 0


def test_a_script_of_minitapes_own_is_heard_beside_tensorflow(
    minitape: Any, written: Any, played: Path
) -> None:
    ran = minitape("explain", written(ITERATIONS))
    assert (ran.exit_code, ran.stderr) == (0, "end 0.001238\n")


def test_who_used_minitape_first_is_heard_there_to_the_end(
    minitape: Any, written: Any, played: Path
) -> None:
    """Two engines in one trace would be no trace of either; this one could not be heard anyhow, which comes first."""
    ran = minitape("explain", written(MINITAPE_FIRST))
    assert ran.exit_code == 0
    assert "The only gradient arrived" in ran.stdout
    assert ran.stderr.count("could not trace it") == 1


def test_tensorflow_that_is_not_there_is_refused_before_the_script_runs(
    minitape: Any, written: Any
) -> None:
    ran = minitape("explain", written("print('ran')\n"), "--on", "tensorflow")
    assert ran.exit_code == 5
    assert "ran\n" not in ran.stderr
    reported = " ".join(ran.stderr.split())
    assert f"{sys.executable} has no TensorFlow" in reported
    assert "-m pip install tensorflow-cpu" in reported
    assert "--python PATH" in reported


def test_a_script_that_never_imports_tensorflow_just_runs(
    minitape: Any, written: Any, played: Path
) -> None:
    ran = minitape("explain", written(ITERATIONS), "--on", "tensorflow")
    assert (ran.exit_code, ran.stderr) == (0, "end 0.001238\n")


def test_two_engines_at_once_are_refused(minitape: Any, lost: Path) -> None:
    ran = minitape("explain", lost, "--as-tensorflow", "--on", "tensorflow")
    assert ran.exit_code == 2
    assert "--on minitape" in ran.stderr
    assert minitape("explain", lost, "--as-tensorflow", "--on", "minitape").exit_code == 1


def test_gradients_are_checked_on_minitape_alone(minitape: Any, written: Any, played: Path) -> None:
    ran = minitape("check", written("import tensorflow\nprint('ran')\n"))
    assert ran.exit_code == 2
    assert "ran\n" not in ran.stderr
    assert "--on minitape" in ran.stderr


def test_two_runs_are_told_apart_by_what_they_ran_on(minitape: Any, lost: Path) -> None:
    whole = json.loads(minitape("diff", lost, lost, "--json", "--on", "minitape").stdout)
    assert [each["engine"] for each in whole["ran_on"]] == ["minitape", "minitape"]


@pytest.mark.whole
def test_what_it_takes_to_be_imported_is_not_the_scripts_time(
    minitape: Any, written: Any, played: Path
) -> None:
    (played / "__init__.py").write_text("__import__('time').sleep(3)\n")
    ran = minitape("explain", written("import tensorflow\nprint('end')\n"), "--timeout", 2.5)
    assert ran.exit_code == 6, ran.stderr
    assert "end\n" in ran.stderr
    late = written("import tensorflow\n__import__('time').sleep(30)\n")
    assert minitape("explain", late, "--timeout", 2.5).exit_code == 4


# --- how long it is watched ---


def test_the_rest_runs_on_unwatched(minitape: Any, written: Any, tmp_path: Path) -> None:
    script, to = written(ITERATIONS), tmp_path / "t.jsonl"
    ran = minitape("trace", script, "--trace-calls", 3, "-o", to)
    assert ran.exit_code == 0
    assert "end 0.001238" in ran.stderr
    assert "Traced 3 gradient calls (--trace-calls); the rest of the script ran" in ran.stderr
    kept = [json.loads(line) for line in to.read_text().splitlines()]
    assert [each["call"] for each in kept if each["k"] == "gradient"] == [1, 2, 3]
    assert kept[-2]["k"] == "result"
    assert kept[-1] == {"i": len(kept) - 1, "k": "end", "events": len(kept), "dropped": 0}


@pytest.mark.parametrize(
    ("limit", "said"),
    [(("--max-ops", 7), "7 ops (--max-ops)"), (("--timeout", 0.2), "0.2 s (--timeout)")],
)
def test_limits_end_the_watching_and_not_the_script(
    minitape: Any, written: Any, limit: tuple[str, float], said: str
) -> None:
    script = written(
        ITERATIONS.replace(
            "with tf", "tf.debug.note(str(__import__('time').sleep(0.03)))\n    with tf"
        )
    )
    ran = minitape("explain", script, "--trace-calls", 500, *limit)
    assert ran.exit_code == 0
    assert "end 0.001238" in ran.stderr
    assert f"Traced {said}" in " ".join(ran.stderr.split())
    assert (
        "before the point where tracing ended arrived; the rest of the script was not traced"
        in " ".join(ran.stdout.split())
    )


def test_a_script_that_ends_sooner_was_watched_to_its_end(minitape: Any, written: Any) -> None:
    assert "Watched" not in minitape("explain", written(ITERATIONS), "--trace-calls", 31).stderr


def test_an_exception_from_the_unwatched_part_is_told(minitape: Any, written: Any) -> None:
    ran = minitape(
        "explain", written(ITERATIONS + "raise ValueError('late')\n"), "--trace-calls", 1
    )
    assert ran.exit_code == 3
    assert "ValueError: late" in ran.stderr


def test_a_call_without_sources_counts_too(minitape: Any, written: Any) -> None:
    script = written(
        ITERATIONS.replace("w.assign_sub", "tape.gradient(loss, []); w.assign_sub").replace(
            "tf.GradientTape()", "tf.GradientTape(persistent=True)"
        )
    )
    ran = minitape("trace", script, "--trace-calls", 3, "--json")
    calls = [each for each in json.loads(ran.stdout)["data"]["events"] if each["k"] == "gradient"]
    assert [len(each["sources"]) for each in calls] == [0, 1, 0]


def test_mended_runs_are_stopped_where_watching_ended(
    minitape: Any, written: Any, lost: Path
) -> None:
    """What comes after the N-th call says nothing about it: a proof need not wait for it."""
    script = written(lost.read_text() + "__import__('time').sleep(1.5)\n", "slow.py")
    ran = minitape("explain", script, "--check", "--trace-calls", 1, "--timeout", 20)
    assert ran.exit_code == 1
    assert "tried: `tf.square(y)` instead of `np.square(y)`" in ran.stdout


def test_a_python_that_is_ended_before_it_runs_the_script_is_not_called_broken(
    minitape: Any, written: Any, tmp_path: Path
) -> None:
    """As the system does when memory is short."""
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nkill -9 $$\n")
    python.chmod(0o755)
    ran = minitape("run", written("print(1)\n"), "--python", python)
    assert ran.exit_code == 2
    assert "was ended by SIGKILL before it ran the script" in ran.stderr
    assert "memory is short" in ran.stderr
