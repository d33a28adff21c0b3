"""The HTML debugger: a run as one page that works without a network.

    page     a trace and what was found in it → the text of an HTML file
    page_of_two    two traces → the page of both, in step
    shell    a picture, or a word → the same, for a server that draws while one edits

All that is said and drawn is made here, in Python; the page's script only switches what is shown.
"""

from minitape.page.beside import page_of_two
from minitape.page.build import page
from minitape.page.shell import shell

__all__ = ["page", "page_of_two", "shell"]
