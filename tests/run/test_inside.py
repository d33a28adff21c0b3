"""Running a script under the tracer: its environment, its end, its limits."""

import gc
import io
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from traced import run

from minitape.run.ending import Limit
from minitape.run.outcome import Run
from minitape.trace import events
from minitape.trace.trace import typed

GRADIENT = """
    import tensorflow as tf
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    print(float(tape.gradient(y, x)))
"""


@pytest.fixture
def written(tmp_path: Path) -> Any:
    """Writes a script and runs it."""

    def write_and_run(text: str, *argv: str, name: str = "lesson.py", **settings: Any) -> Run:
        path = tmp_path / name
        path.write_text(textwrap.dedent(text))
        return run(path, argv, **settings)

    return write_and_run


def test_script_runs_as_main_with_its_own_arguments(written: Any, capsys: Any) -> None:
    ran = written("import sys; print(__name__, sys.argv[1:])", "--lr", "3")
    assert ran.ok
    assert capsys.readouterr().out == "__main__ ['--lr', '3']\n"


def test_script_imports_modules_from_its_own_folder(tmp_path: Path) -> None:
    """Two folders, both with a module `helper`: neither script may import the other's."""
    outs = []
    for value in (1, 2):
        folder = tmp_path / str(value)
        folder.mkdir()
        (folder / "helper.py").write_text(f"VALUE = {value}\n")
        (folder / "main.py").write_text("import helper; print(helper.VALUE)\n")
        out = io.StringIO()
        assert run(folder / "main.py", stdout=out).ok
        outs.append(out.getvalue())
    assert outs == ["1\n", "2\n"]


def test_edited_script_is_traced_with_its_current_text(written: Any) -> None:
    written("import minitape as tf; first = tf.Variable(1.0)")
    trace = written("import minitape as tf\n\nsecond = tf.Variable(1.0)").trace
    (variable,) = trace.of(events.VariableEvent)
    assert (variable.numbers.name, variable.at.line) == ("second", 3)
    assert [event.text.count("first") for event in trace.of(events.SourceEvent)] == [0]


def test_interpreter_state_is_restored_after_the_script(written: Any) -> None:
    before = sys.argv, list(sys.path), sys.modules["__main__"], list(sys.meta_path), sys.stdout
    written("import sys; sys.path.clear(); sys.argv = []", stdout=io.StringIO())
    after = sys.argv, list(sys.path), sys.modules["__main__"], list(sys.meta_path), sys.stdout
    assert after == before


def test_import_tensorflow_returns_minitape_and_is_traced(written: Any) -> None:
    out = io.StringIO()
    ran = written(GRADIENT, on="minitape", stdout=out)
    assert ran.served
    assert out.getvalue() == "6.0\n"
    assert len(ran.trace.of(events.GradientEvent)) == 1
    assert "tensorflow" not in sys.modules


@pytest.mark.parametrize(
    "line",
    [
        "from tensorflow import math",
        "import tensorflow.math as math",
        "import tensorflow.math; math = tensorflow.math",
    ],
)
def test_every_import_form_returns_the_same_module(written: Any, line: str) -> None:
    """A second copy of a module would have a second set of ops."""
    text = f"{line}\nimport minitape.math as ours\nassert math is ours"
    ran = written(text, on="minitape")
    assert ran.error is None


def test_serving_does_not_change_minitape_modules(written: Any) -> None:
    """The import system sets attributes on every module that it loads."""
    import minitape

    before = [dict(vars(module)) for module in (minitape, minitape.math)]
    assert written("import tensorflow.math", on="minitape").ok
    assert [dict(vars(module)) for module in (minitape, minitape.math)] == before


def test_script_with_another_tensorflow_is_recognized(written: Any, tmp_path: Path) -> None:
    (tmp_path / "tensorflow.py").write_text("")
    ran = written("import tensorflow")
    assert not ran.served
    assert ran.untraceable
    insisted = written("import tensorflow", on="minitape")
    assert insisted.served
    assert insisted.untraceable is None


def test_import_of_tensorflow_does_not_count_toward_timeout(written: Any, tmp_path: Path) -> None:
    """It counts neither for the alarm timer, which continues afterwards, nor for the deadline."""
    (tmp_path / "tensorflow.py").write_text("__import__('time').sleep(1.0)\n")
    assert written("import tensorflow", timeout=0.5).ok
    late = written("import tensorflow, time\nwhile True: time.sleep(0.01)", timeout=0.5)
    assert late.limit is Limit.TIME


def test_script_is_stopped_after_maximum_number_of_gradient_calls(written: Any) -> None:
    text = """
        import minitape as tf
        x = tf.Variable(3.0)
        while True:
            with tf.GradientTape() as tape:
                y = x * x
            tape.gradient(y, x)
    """
    ran = written(text, max_calls=4)
    assert ran.limit is Limit.CALLS
    assert [call.call for call in ran.trace.of(events.GradientEvent)] == [1, 2, 3, 4]
    assert ran.trace.events[-2].kind == "result"


def test_unsupported_module_raises_module_not_found(written: Any) -> None:
    script = """
        try:
            import tensorflow.distribute
        except ModuleNotFoundError as error:
            assert error.name == "tensorflow.distribute"
            raise
    """
    ran = written(script, on="minitape")
    assert ran.error.type == "MissingModuleError"
    assert "No module named 'tensorflow.distribute'" in ran.error.message


def test_script_without_tensorflow_is_not_reported_as_served(written: Any) -> None:
    assert not written("import minitape as tf", on="minitape").served


def test_error_shows_only_the_users_frames_and_keeps_the_trace(written: Any) -> None:
    text = """
        import minitape as tf
        def forward(x):
            return tf.matmul(x, x)
        y = tf.square(tf.constant([2.0]))
        forward(y)
    """
    ran = written(text)
    assert ran.exit_code == 1
    assert ran.error.line == 4
    assert "return tf.matmul(x, x)" in ran.error.text
    assert "minitape/" not in ran.error.text
    assert [event.name for event in ran.trace.of(events.OpEvent)] == ["Square"]
    assert ran.trace.of(events.ErrorEvent)[-1].at.line == 4
    assert ran.trace.events[-1].kind == "end"


def test_chained_error_shows_no_minitape_frames(written: Any) -> None:
    text = """
        import minitape as tf
        try:
            tf.matmul(tf.constant(1.0), tf.constant(1.0))
        except Exception as error:
            raise RuntimeError("no luck") from error
    """
    ran = written(text)
    assert "direct cause" in ran.error.text
    assert "minitape/" not in ran.error.text


def test_syntax_error_names_its_line(written: Any) -> None:
    ran = written("x = 1\ny = = 2\n")
    assert (ran.error.type, ran.error.line) == ("SyntaxError", 2)


@pytest.mark.parametrize(
    ("statement", "code"),
    [("sys.exit()", 0), ("sys.exit(7)", 7), ("sys.exit('bad data')", 1), ("pass", 0)],
)
def test_exit_code_is_the_scripts(written: Any, capsys: Any, statement: str, code: int) -> None:
    ran = written(f"import sys; {statement}")
    assert (ran.exit_code, ran.error) == (code, None)
    assert ("bad data" in capsys.readouterr().err) == (statement == "sys.exit('bad data')")


@pytest.fixture
def nobody_in_the_garbage_collector() -> Iterator[None]:
    """Hypothesis measures Python's garbage collector; a stop signal in its callback would be lost, and the test would fail."""
    held = gc.callbacks[:]
    gc.callbacks.clear()
    yield
    gc.callbacks[:] = held


@pytest.mark.usefixtures("nobody_in_the_garbage_collector")
@pytest.mark.parametrize("catch", ["except Exception:", "except:"])
def test_endless_loop_is_stopped_even_if_it_catches_everything(written: Any, catch: str) -> None:
    """The stop signal is repeated until it is raised outside of any `except`."""
    text = f"""
        import minitape as tf
        x = tf.constant(1.0)
        while True:
            try:
                y = x + 1.0
            {catch}
                pass
    """
    ran = written(text, timeout=0.3, max_ops=0)
    assert ran.limit is Limit.TIME
    assert [event.i for event in ran.trace] == list(range(len(ran.trace)))


def test_loop_without_ops_is_stopped(written: Any) -> None:
    assert written("while True: pass", timeout=0.2).limit is Limit.TIME


def test_sleeping_script_is_stopped(written: Any) -> None:
    assert written("import time; time.sleep(60)", timeout=0.2).limit is Limit.TIME


def test_limit_on_ops_keeps_earlier_events(written: Any) -> None:
    text = """
        import minitape as tf
        x = tf.constant(1.0)
        for _ in range(100):
            x = x + 1.0
    """
    ran = written(text, max_ops=10)
    assert ran.limit is Limit.OPS
    assert len(ran.trace.of(events.OpEvent)) == 11
    assert ran.trace.events[-1].kind == "end"


def test_exactly_the_maximum_number_of_ops_is_allowed(written: Any) -> None:
    text = "import minitape as tf\nx = tf.constant(1.0)\nfor _ in range(10): x = x + 1.0\n"
    assert written(text, max_ops=10).limit is None


def test_keyboard_interrupt_ends_only_the_run(written: Any) -> None:
    assert written("raise KeyboardInterrupt").limit is Limit.INTERRUPT


def test_seed_makes_two_runs_equal(written: Any) -> None:
    text = """
        import random, numpy as np, minitape as tf
        print(random.random(), np.random.rand(), float(tf.random.normal([])))
    """
    outs = []
    for _ in range(2):
        out = io.StringIO()
        assert written(text, seed=5, stdout=out).ok
        outs.append(out.getvalue())
    assert outs[0] == outs[1]


def test_sink_receives_each_event_immediately(written: Any) -> None:
    received: list[Any] = []
    ran = written(GRADIENT, on="minitape", sink=received.append, stdout=io.StringIO())
    assert list(map(typed, received)) == ran.trace.events


def test_two_runs_have_equal_traces(written: Any) -> None:
    traces = [written(GRADIENT, on="minitape", stdout=io.StringIO()).trace for _ in range(2)]
    assert traces[0].events == traces[1].events


def test_missing_file_raises_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        run(tmp_path / "none.py")


CATCHES_ALL = """\
import minitape as tf

while True:
    try:
        tf.constant(1.0) + 1.0
    except BaseException:
        pass
"""


@pytest.mark.parametrize(
    ("limits", "limit"), [({"max_ops": 20}, "ops"), ({"timeout": 0.2}, "time")]
)
def test_script_that_catches_everything_is_stopped(tmp_path: Path, limits: Any, limit: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(CATCHES_ALL)
    tracing = sys.gettrace()
    assert run(script, **({"max_ops": 0} | limits)).limit == limit
    assert sys.gettrace() is tracing
