"""The overview of a run, for a page.

iterations  a gradient call that ran in a loop, as packed numbers for the page's script
pane        the elements for its map, its notes, and the map as text
"""
