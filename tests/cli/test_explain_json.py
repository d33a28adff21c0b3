"""docs/explain-json.md matches the command's output in each field, each choice, and the example."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from minitape.explain.report import Confidence, Evidence, FixesNeeded, Outcome

PAGE = Path(__file__).parents[2] / "docs" / "explain-json.md"
TEXT = PAGE.read_text(encoding="utf-8")

SCRIPTS = {
    "lost": """\
        import numpy as np
        import minitape as tf

        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(np.square(w))
        tape.gradient(loss, w)
    """,
    "loop": """\
        import minitape as tf

        w = tf.Variable(2.0)
        for step in range(3):
            with tf.GradientTape() as tape:
                loss = w * w
            tape.gradient(loss, w)
    """,
    "fades": """\
        import minitape as tf

        tf.random.set_seed(1)
        ws = [tf.Variable(0.5 * tf.random.normal([8, 8])) for _ in range(8)]
        for step in range(2):
            with tf.GradientTape() as tape:
                h = tf.ones([4, 8])
                for w in ws:
                    h = tf.sigmoid(h @ w)
                loss = tf.reduce_mean(h)
            tape.gradient(loss, ws[::2])
    """,
    "raises": "import minitape as tf\n\n1 / 0\n",
}


def documented() -> dict[str, list[str]]:
    """Return the fields that the page lists under each of its headings."""
    sections = re.split(r"^##+ (.+)$", TEXT, flags=re.M)[1:]
    return {
        title: re.findall(r"^\| `(\w+)` \|", table, re.M)
        for title, section in zip(sections[::2], sections[1::2], strict=True)
        for table in re.findall(r"\| field \| meaning \|\n(?:\|.*\n)+", section)
    }


def choices(of: str) -> list[str]:
    """Return the first column of a table that lists the values of a field."""
    (table,) = re.findall(rf"\| {of} \| meaning \|\n((?:\|.*\n)+)", TEXT)
    return re.findall(r"^\| `([\w-]+)` \|", table, re.M)


def objects(value: Any, title: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each object in the output, with the heading of the page that describes it."""
    if isinstance(value, list):
        for each in value:
            yield from objects(each, title)
    elif isinstance(value, dict):
        yield title, value
        for key, each in value.items():
            if key != "gradient":  # the format of tensors has its own page
                yield from objects(each, "data.grid" if key == "grid" else key)


@pytest.fixture
def explain_json(minitape: Any, write_script: Any) -> Any:
    def explain(script: str, *options: str) -> Any:
        return json.loads(minitape("explain", write_script(script), "--json", *options).stdout)

    return explain


def test_page_lists_all_fields(explain_json: Any) -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for script in SCRIPTS.values():
        for title, each in objects(explain_json(script, "--check"), "The envelope"):
            found[title] |= set(each)
    listed = documented()
    assert {title: sorted(keys) for title, keys in found.items()} == {
        title: sorted(keys) for title, keys in listed.items()
    }


def test_page_lists_all_values() -> None:
    assert sorted(choices("outcome")) == sorted(Outcome)
    assert sorted(choices("fixes_needed")) == sorted(FixesNeeded)
    assert sorted(choices("evidence")) == sorted(Evidence)
    row, *_ = re.findall(r"^\| `confidence` \| (.*) \|$", TEXT, re.M)
    assert re.findall(r"`(\w+)`", row) == list(Confidence)


def test_example_matches_the_output(
    minitape: Any, write_script: Any, request: pytest.FixtureRequest
) -> None:
    """Except for the version, and the last iteration, which the page omits."""
    (script,) = re.findall(r"```python\n(.*?)```", TEXT, re.S)
    (shown,) = re.findall(r"```json\n(.*?)```", TEXT, re.S)
    whole = json.loads(minitape("explain", write_script(script, "late.py"), "--json").stdout)
    whole["data"]["script"] = Path(whole["data"]["script"]).name
    assert whole["data"]["calls"].pop()["iteration"] == 3
    if request.config.getoption("--update"):
        PAGE.write_text(TEXT.replace(shown, _readable(whole) + "\n"), encoding="utf-8")
        return
    promised = json.loads(shown)
    assert promised | {"version": whole["version"]} == whole


def _readable(value: Any) -> str:
    """Return JSON with an item on each line, but short lists on one line."""
    lists_of_words = r"\[\s+[^][{}]+?\s+\]"
    return re.sub(
        lists_of_words, lambda found: json.dumps(json.loads(found[0])), json.dumps(value, indent=2)
    )


def test_grid_code_block_runs(explain_json: Any) -> None:
    """The last code block of the page runs unchanged."""
    (code,) = re.findall(r"```py\n(.*?)```", TEXT, re.S)
    assignment, _, question = code.strip().partition("\n")
    text = json.dumps(
        explain_json(
            """\
            import minitape as tf

            w = tf.Variable(2.0)
            for step in range(6):
                with tf.GradientTape() as tape:
                    loss = tf.math.log(w) * w
                tape.gradient(loss, w)
                w.assign_sub(1.0)
            """
        )
    )
    names: dict[str, Any] = {"json": json, "text": text}
    exec(assignment, names)
    assert eval(question, names) == [("w", 3)]
