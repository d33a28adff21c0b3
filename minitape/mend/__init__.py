"""Mending by rule: from a finding and the program's text to the text without that mistake; nothing is run here.

suggesting   a report, with the new line of each mistake that one changed line mends
repair       the rules: for each cause that one can mend, a syntax tree without it
text         the program as a tree, where a finding is in it, and a mended tree as text again

Whether a mend brings the gradient back, a run proves: the room `prove`.
"""
