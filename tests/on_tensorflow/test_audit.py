"""The audits of all programs on TensorFlow equal the stored results; tests/audits.py writes them."""

from pathlib import Path

import audits
import pytest
from on_tensorflow.traced import a_part, received

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.timeout(1800),
    pytest.mark.one_in(5),
]


PARTS = {"explain": 12, "guides": 5, "programs": 5}


@pytest.mark.parametrize("corpus", audits.ON_TENSORFLOW)
def test_audits_of_a_corpus_equal_stored_results(
    corpus: str, tensorflow_python: str, tmp_path: Path
) -> None:
    scripts = a_part(audits.ON_TENSORFLOW[corpus], PARTS.get(corpus, 1))
    received(tensorflow_python, tmp_path, scripts, only=True)
    found = audits.found_on_tensorflow(tmp_path)
    assert len(found) == len(scripts)
    kept = audits.everything("TensorFlow")[corpus]
    assert {name: row for name, row in found.items() if row != kept[name]} == {}
