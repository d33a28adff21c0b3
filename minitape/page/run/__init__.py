"""The run at a glance, for a page.

rounds    a call that ran in rounds, as packed numbers for the page's script
pane      where its map is drawn, the notes beside it, and the map in words
"""
