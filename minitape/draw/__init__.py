"""Pictures of a tape: a trace and what was found in it, as a graph.

    picture      what is drawn, as plain data
    dot          as DOT text
    render       as SVG, PNG, PDF, DOT or plain text, laid out by the best program there is
    find_engine  which program that is
    text         as lines of text
    mermaid      as Mermaid text

A picture shows one gradient call. It is read off a trace and a report, and off nothing else.
"""

from minitape.draw.build import picture
from minitape.draw.model import Card, Edge, Line, Picture, Pill, Row
from minitape.draw.write.dot import dot
from minitape.draw.write.engine import Engine, Rendered, find_engine, render
from minitape.draw.write.mermaid import mermaid
from minitape.draw.write.text import text

__all__ = [
    "Card",
    "Edge",
    "Engine",
    "Line",
    "Picture",
    "Pill",
    "Rendered",
    "Row",
    "dot",
    "find_engine",
    "mermaid",
    "picture",
    "render",
    "text",
]
