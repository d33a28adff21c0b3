"""The writers of block diagrams.

faces.py     the texts and images on each card, measured
layout.py    the positions of cards and links on a slide
svg.py       the slide; its pieces are in brush.py, the parts below the cards in legend.py
animation.py the moments of a run that an animated slide shows
text.py      lines of plain text
graphs.py    DOT and Mermaid
render.py    a file in one of the formats
"""
