"""Write down what the scripts print under TensorFlow: `python tests/guides/record.py [script ...]`, where TensorFlow is.

Each of `scripts/` becomes `recorded/<script>.txt`.
"""

import contextlib
import io
import os
import runpy
import sys
from typing import Any

from printed import SCRIPTS, recording_of


def printed_under_tensorflow(script: str, tf: Any) -> str:
    """What a script prints; layers are numbered from the start, as in a fresh process."""
    tf.keras.backend.clear_session()
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        runpy.run_path(script, run_name="__main__")
    return out.getvalue()


def main() -> None:
    """Record the scripts named on the command line, or all of them."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")  # kernels of a GPU round in another way
    import tensorflow as tf  # only here: test collection imports this module without TensorFlow

    for script in SCRIPTS:
        if sys.argv[1:] and script.stem not in sys.argv[1:]:
            continue
        text = printed_under_tensorflow(str(script), tf)
        recording_of(script).write_text(text, encoding="utf-8")
        print(f"{script.stem}: {len(text.splitlines())} lines")


if __name__ == "__main__":
    main()
