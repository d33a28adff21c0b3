"""Store the trace of ops.py on TensorFlow: `python tests/verify/on_tensorflow/record.py`, with a Python that has TensorFlow.

The trace is ops.jsonl, which test_audit_on_tensorflow.py compares with minitape's results.
"""

import os
import runpy
import sys
from pathlib import Path

HERE = Path(__file__).parent
SCRIPT = HERE / "ops.py"


def main() -> None:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    sys.path.insert(0, str(HERE.parents[2]))
    import tensorflow as tf  # noqa: F401  # who listens to it wants it imported

    from minitape.trace.writing import encode
    from minitape.tracer.tensorflow import TensorFlow
    from minitape.tracer.tracer import Tracer

    with Tracer(script=str(SCRIPT), engine=TensorFlow()) as tracer:
        runpy.run_path(str(SCRIPT), run_name="__main__")
    text = "".join(encode(event) + "\n" for event in tracer.received)
    (HERE / "ops.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
