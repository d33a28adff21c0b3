"""The built-in layout, used if no layout program is installed. It takes the sizes of the nodes and the edges, and returns
positions.

layout    a layered graph: rows, order, coordinates
frames    the same with nested frames, one for each loop
labels    the positions of edge labels
"""
