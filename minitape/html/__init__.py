"""The HTML debugger: a run as one page that works without a network.

    page           a trace and its report → the text of an HTML file
    page_of_two    two traces → a page with both, side by side
    FixedRun       the run after a verified fix, for `page`
    shell          a picture or a message → a page for a server that is updated while the user edits

All texts and pictures are made in Python. The script of the page only selects what is shown.
"""

from minitape.html.build import page
from minitape.html.comparison import page_of_two
from minitape.html.shell import shell
from minitape.html.story import FixedRun

__all__ = ["FixedRun", "page", "page_of_two", "shell"]
