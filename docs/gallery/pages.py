"""The programs of the gallery, and their HTML pages; `make.py` takes screenshots of them, and docs/site/build.py embeds them."""

from pathlib import Path

from minitape.explain.explain import explain
from minitape.fixes.suggestions import suggested
from minitape.html import page
from minitape.run.options import RunOptions
from minitape.run.process import run
from minitape.run.program import of_file
from minitape.terms import described

HERE = Path(__file__).parent

# For each program: its title, and the keys that lead to the step in the screenshot; without keys it shows the story.
PROGRAMS = {
    "parabola": ("A parabola", "b →"),
    "diamond": ("Two paths from one variable: their gradients add up", "b → → → →"),
    "lost": ("A gradient lost in NumPy", ""),
    "dead_layer": ("A layer of dead units", "n"),
    "nan": ("A NaN and its origin", ""),
    "mlp": ("A network with two layers", "b → → → → →"),
    "rnn": ("Forty steps of a recurrent network", "b → → → → →"),
    "cnn": ("A convolution", "b → → → → → → → →"),
    "convnet": ("A convolutional network made of layers", ""),
    "attention": ("A transformer block with two heads", ""),
    "lstm": ("Twelve steps of an LSTM", ""),
    "gan": ("The two tapes of a GAN", "b → →"),
    "jacobian": ("A Jacobian", ""),
    "vanishing": ("A training run with vanishing gradients", ""),
    "exploding": ("A training run with exploding gradients", ""),
}


def page_of(name: str) -> str:
    """Run a program, and return its HTML page."""
    trace = run(
        of_file(HERE / "programs" / f"{name}.py"), run_options=RunOptions(on="minitape")
    ).trace
    return page(trace, suggested(explain(trace), trace), expansions=described)
