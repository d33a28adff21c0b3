"""All ops there are: those of the catalogue, and those on pages that open with their first use.

Whoever looks an op up by its name, or lists them, imports this page first.
"""

from minitape.ops.images import adjusting, chance, colours, cutting, framing, measuring, resizing

__all__ = ("adjusting", "chance", "colours", "cutting", "framing", "measuring", "resizing")
