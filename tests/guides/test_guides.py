"""Programs as TensorFlow's guides write them print under minitape what they printed under TensorFlow."""

import io
import warnings
from pathlib import Path

import audits
import pytest
from printed import HERE, SCRIPTS, differences, printed_by, recording_of
from traced import run as run_here

import minitape as tf

pytestmark = pytest.mark.one_in(10)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_guide_prints_the_output_recorded_on_tensorflow(script: Path) -> None:
    """The script is unchanged, including `import tensorflow`; it is traced, and its trace is audited."""
    tf.keras.backend.clear_session()
    tf.random.set_seed(None)
    out = io.StringIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the guides show mistakes too; parity holds their warnings
        run = run_here(script, on="minitape", stdout=out, timeout=60, max_ops=0)
    assert run.ok, run.error.text if run.error else run.limit
    assert list(differences(out.getvalue(), printed_by(script))) == []
    assert audits.found(run.trace) == audits.kept("guides", script.stem)


def test_each_recording_has_its_script() -> None:
    recorded = sorted((HERE / "recorded").glob("*.txt"))
    assert recorded == [recording_of(script) for script in SCRIPTS]
    assert all(path.stat().st_size for path in recorded)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("None", "0.0"),
        ("1.0 2.0", "1.0"),
        ("[1.001]", "[1.0]"),
        ("nan", "1.0"),
        ("tf.Tensor(", "("),
    ],
)
def test_difference_is_detected(ours: str, theirs: str) -> None:
    assert list(differences(ours, theirs))


def test_last_digits_and_line_breaks_are_ignored() -> None:
    assert not list(differences("[1.0000001\n 2.]", "[1. 2.]"))
