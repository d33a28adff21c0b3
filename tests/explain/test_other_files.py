"""The fix of a mistake in a module other than the script: what it imports, and where a value has to be computed again."""

import io
from pathlib import Path

from traced import run

from minitape.explain.explain import explain
from minitape.explain.report import Finding


def finding_of(files: dict[str, str], folder: Path) -> Finding:
    """Return the only finding of a program with several files; `main.py` is the script."""
    for name, text in files.items():
        (folder / name).write_text(text)
    report = explain(run(folder / "main.py", stdout=io.StringIO()).trace)
    findings = {
        finding.fix: finding
        for call in report.calls
        for source in call.sources
        for finding in source.findings
    }
    (finding,) = findings.values()
    return finding


HELPER = "def level(signal):\n    return np.mean(np.abs(signal))\n"
SCRIPT = (
    "import tensorflow as tf\n"
    "import {module}\n"
    "w = tf.Variable([1.0, -2.0])\n"
    "with tf.GradientTape() as tape:\n"
    "    y = tf.constant({module}.level(w))\n"
    "tape.gradient(y, w)\n"
)


def test_import_is_named_if_the_file_of_the_fix_does_not_have_it(tmp_path: Path) -> None:
    module = "levels_without_import"
    files = {
        "main.py": SCRIPT.format(module=module),
        f"{module}.py": f"import numpy as np\n{HELPER}",
    }
    finding = finding_of(files, tmp_path)
    assert "`tf.reduce_mean(tf.abs(signal))`" in finding.fix
    assert finding.fix.endswith(f"; {module}.py then needs `import tensorflow as tf`")


def test_import_is_not_named_if_the_file_has_it(tmp_path: Path) -> None:
    module = "levels_with_import"
    text = f"import numpy as np\nimport tensorflow as tf\n{HELPER}"
    finding = finding_of({"main.py": SCRIPT.format(module=module), f"{module}.py": text}, tmp_path)
    assert "import tensorflow" not in finding.fix


def test_value_is_computed_again_in_the_block_of_another_file(tmp_path: Path) -> None:
    """The line cannot be moved into the block, because its names are those of the script."""
    update = (
        "import tensorflow as tf\n"
        "def update(player, played):\n"
        "    with tf.GradientTape() as tape:\n"
        "        loss = tf.reduce_sum(tf.stack(played))\n"
        "    return tape.gradient(loss, player.layer.trainable_variables)\n"
    )
    main = (
        "import tensorflow as tf\n"
        "from update_of_player import update\n"
        "class Player:\n"
        "    def __init__(self):\n"
        "        self.layer = tf.keras.layers.Dense(1)\n"
        "        self.layer.build((None, 1))\n"
        "    def act(self, x):\n"
        "        return self.layer(x[None])[0, 0]\n"
        "    def chances(self, xs):\n"
        "        return self.layer(xs)[:, 0]\n"
        "player = Player()\n"
        "played = [player.act(tf.constant([x])) for x in (1.0, 3.0)]\n"
        "update(player, played)\n"
    )
    finding = finding_of({"main.py": main, "update_of_player.py": update}, tmp_path)
    assert finding.slug == "computed-before-tape"
    assert "in `update`, in the `with` block on line 3 of update_of_player.py" in finding.fix
    assert "on line 4 of update_of_player.py" in finding.fix
    assert (
        "`chances(xs)` of `Player` (line 9 of main.py) computes with `self.layer` too"
        in finding.fix
    )
    assert "into the `with` block" not in finding.fix


def test_calls_with_one_advice_are_one_finding_in_a_file_without_the_import(tmp_path: Path) -> None:
    module = "scores_without_import"
    helper = (
        "import numpy as np\n"
        "def level(signal):\n"
        "    centre = np.mean(signal)\n"
        "    spread = np.std(signal)\n"
        "    scores = np.divide(signal - centre, spread)\n"
        "    return scores\n"
    )
    main = SCRIPT.format(module=module).replace("level(w)", "level(w * 2.0)")
    finding = finding_of({"main.py": main, f"{module}.py": helper}, tmp_path)
    assert {4, 5} <= set(finding.lines)
    assert finding.fix.endswith("then needs `import tensorflow as tf`")
