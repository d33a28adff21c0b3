"""The HTML debugger: a run as one page that works without a network.

    page           a trace and its report → the text of an HTML file
    page_of_two    two traces → a page with both, side by side
    FixedRun       the run after a verified fix, for `page`
    shell          a picture or a message → a page for a server that is updated while the user edits

Python creates the pictures and the sentences about the run. The words on buttons and in tooltips are in `assets/page.html`,
`story/texts.py` and the page's script. The script selects what is shown; README.md lists what else it does.
"""

from minitape.html.build import page
from minitape.html.comparison import page_of_two
from minitape.html.shell import shell
from minitape.html.story import FixedRun

__all__ = ["FixedRun", "page", "page_of_two", "shell"]
