"""Pictures of a tape: a trace and its report as a graph.

    picture      the nodes and edges, as plain data
    dot          as DOT text
    render       as SVG, PNG, PDF, DOT or Mermaid, laid out by the best installed program
    find_engine  finds the layout program
    text         as lines of text
    mermaid      as Mermaid text

A picture shows one gradient call. It depends only on a trace and a report.
"""

from minitape.draw.build import picture
from minitape.draw.model import CaptionLine, Card, CardRow, Edge, Picture, Pill
from minitape.draw.write.dot import dot
from minitape.draw.write.engine import LayoutEngine, Rendered, find_engine, render
from minitape.draw.write.mermaid import mermaid
from minitape.draw.write.text import text

__all__ = [
    "CaptionLine",
    "Card",
    "CardRow",
    "Edge",
    "LayoutEngine",
    "Picture",
    "Pill",
    "Rendered",
    "dot",
    "find_engine",
    "mermaid",
    "picture",
    "render",
    "text",
]
