"""Writes a `Picture` as bytes or text; every writer shows the same content.

text, mermaid         for a terminal, and for Markdown
dot                   for a layout program
engine                the layout program, which writes SVG, PNG or PDF
svg                   SVG from the built-in layout, without a program
pins                  the positions of the built-in layout, for a program that only renders
classes               CSS classes in a program's SVG
palette, legend       colors and lines, and their meanings
"""
