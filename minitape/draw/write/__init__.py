"""In goes a `Picture`, out come bytes or text; every writer shows the same.

text, mermaid         for a terminal, for Markdown
dot                   for a layout program
engine                which program lays it out: SVG, PNG, PDF
svg                   without a program, by our own layout
pins                  our own layout's places, for a program that only paints
classes               what CSS and scripts can hold on to, in a program's SVG
palette, legend       colours and lines, and what they mean
"""
