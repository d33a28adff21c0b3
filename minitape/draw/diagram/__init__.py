"""Block diagrams: a model as layers, functions and loops, on one slide.

diagram   the cards of one gradient call, and the values and gradients between them, as plain data
is_model  whether a gradient call is better drawn as such a diagram than as a graph of its ops
render    as SVG, PNG, PDF, GIF, DOT or Mermaid
text      as lines of text

choice.py     whether a program is a model
tree.py       the program as a tree: functions, layers, loops, statements, ops
blocks.py     blocks of `tf.name_scope` in the text of the program
level.py      which parts of the tree become cards
links.py      where values come from, and the gradients that came back along the path
faults.py     where a gradient is lost, or goes wrong
uses.py       which card uses which values
content/      the content of the cards (parameters, images, branches, breaks) and the headline
build.py      the cards and links, with their texts (wording.py)
model.py      the result, without positions
write/        the positions of cards and links (layout.py), and files: SVG, PNG, PDF, GIF, DOT, Mermaid, text
"""

from minitape.draw.diagram.build import diagram
from minitape.draw.diagram.choice import is_model
from minitape.draw.diagram.model import Diagram, Link, Parameter, Station
from minitape.draw.diagram.write.render import render
from minitape.draw.diagram.write.text import text

__all__ = ["Diagram", "Link", "Parameter", "Station", "diagram", "is_model", "render", "text"]
