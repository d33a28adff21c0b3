"""Block diagrams: a model as layers, functions and loops, on one slide.

diagram   the cards of one gradient call, and the values and gradients between them, as plain data
render    as SVG, PNG, PDF, GIF, DOT or Mermaid
text      as lines of text

tree.py       the program as a tree: functions, layers, loops, statements, ops
blocks.py     blocks of `tf.name_scope` in the text of the program
level.py      which parts of the tree become cards
links.py      where values come from, and what came back along the way
faults.py     where a gradient is lost, or goes wrong
uses.py       which card uses what
content/      what is on the cards: parameters, images, branches, breaks; and the headline
build.py      the cards and links, with their words (wording.py)
model.py      the result, without places
write/        the places of cards and links (layout.py), and files: SVG, PNG, PDF, GIF, DOT, Mermaid, text
"""

from minitape.draw.diagram.build import diagram
from minitape.draw.diagram.model import Diagram, Link, Parameter, Station
from minitape.draw.diagram.write.render import render
from minitape.draw.diagram.write.text import text

__all__ = ["Diagram", "Link", "Parameter", "Station", "diagram", "render", "text"]
