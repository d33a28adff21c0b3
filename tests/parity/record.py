"""Record the behavior of TensorFlow: `python tests/parity/record.py [program ...]`, with a Python that has TensorFlow.

Each module of `programs/` becomes `recorded/<module>.json`, with one case per line, sorted by name.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
from outcomes import observe
from programs import PAGES, cases

RECORDED = Path(__file__).parent / "recorded"


def written(page: str, tf: Any) -> str:
    """Return the records of one module as JSON text."""
    header = {"tensorflow": tf.__version__, "keras": tf.keras.__version__, "numpy": np.__version__}
    lines = [
        f"  {json.dumps(name)}: {json.dumps(observe(case, tf).record, allow_nan=False)}"
        for name, case in sorted(cases(page).items())
    ]
    about = json.dumps(header)
    return f'{{\n "recorded with": {about},\n "cases": {{\n' + ",\n".join(lines) + "\n }\n}\n"


def main() -> None:
    """Record the modules named on the command line, or all of them."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")  # kernels of a GPU round differently
    import tensorflow as tf  # only here: test collection imports this module without TensorFlow

    RECORDED.mkdir(exist_ok=True)
    for page in sys.argv[1:] or PAGES:
        (RECORDED / f"{page}.json").write_text(written(page, tf), encoding="utf-8")
        print(f"{page}: {len(cases(page))} cases")


if __name__ == "__main__":
    main()
