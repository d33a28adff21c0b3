"""Write the slides in this folder: `python docs/images/make_slides.py`. The programs are those of the tests of slides."""

import sys
import tempfile
from pathlib import Path

from minitape.draw.diagram import diagram, render
from minitape.explain.explain import explain
from minitape.run.options import RunOptions
from minitape.run.process import run
from minitape.run.program import of_file

HERE = Path(__file__).parent
TESTS = HERE.parents[1] / "tests"
SLIDES = {
    "cnn_fit": "light",
    "transformer": "light",
    "transformer_numpy": "light",
    "rnn_hand": "dark",
    "unet": "light",
    "pinn": "light",
}


def main() -> None:
    """Write each slide."""
    sys.path.insert(0, str(TESTS))
    from draw.slides.slide_programs import program

    for name, theme in SLIDES.items():
        with tempfile.TemporaryDirectory() as folder:
            script = of_file(program(name, Path(folder)))
            trace = run(script, run_options=RunOptions(on="minitape")).trace
        made = diagram(trace, explain(trace))
        file = HERE / f"slide-{name}.{theme}.svg"
        file.write_bytes(render(made, theme=theme).data)


if __name__ == "__main__":
    main()
