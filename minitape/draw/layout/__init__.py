"""In go the sizes of cards and the edges between them; out come places for all of them, where no layout program is at hand.

layout    a layered graph: rows, order, coordinates
frames    the same with boxes in boxes, one for each loop
labels    where the words on edges go
"""
