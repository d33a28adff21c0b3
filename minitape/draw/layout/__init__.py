"""The built-in layout, used when no layout program is installed: takes the sizes of nodes and the edges, and returns positions.

layout    a layered graph: rows, order, coordinates
frames    the same with nested frames, one for each loop
labels    the positions of edge labels
"""
