"""The content of the cards of a slide, and the headline above them.

drawers    the variables and constants that a card reads
repeats    equal parts of a card: steps with their states, and branches
tapes      nested tapes, and the backward passes of inner tapes
thumbs     values as small images
headline   the sentence above the cards
"""
