"""The HTML debugger: a run as one page that works without a network.

    page           a trace and its report → the text of an HTML file
    page_of_two    two traces → a page with both, side by side
    shell          a picture or a message → a page for a server that is updated while the user edits

All texts and pictures are made in Python. The script of the page only selects what is shown.
"""

from minitape.html.build import page
from minitape.html.shell import shell
from minitape.html.side_by_side import page_of_two

__all__ = ["page", "page_of_two", "shell"]
