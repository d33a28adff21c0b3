"""Writes a `Picture` as bytes or text; every writer shows the same.

text, mermaid         for a terminal, for Markdown
dot                   for a layout program
engine                the layout program, which writes SVG, PNG or PDF
svg                   without a program, with the built-in layout
pins                  the positions of the built-in layout, for a program that only renders
classes               CSS classes in a program's SVG
palette, legend       colors and lines, and their meanings
"""
