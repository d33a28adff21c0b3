"""The HTML debugger: a run as one page that works without a network.

    page     a trace and what was found in it → the text of an HTML file

All that is said and drawn is made here, in Python; the page's script only switches what is shown.
"""

from minitape.page.build import page

__all__ = ["page"]
