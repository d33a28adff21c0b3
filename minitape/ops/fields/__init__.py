"""Windows over more than pictures: volumes, sequences, and windows of other kinds.

    volumes       convolutions of three axes, and of any number
    pooling       pooling of three axes, and of any number; where the largest stood
    blocks        squares of pixels as channels, and back
    morphology    windows that add and take the largest
    aligning      labels of a sequence, wherever in it they lie

They open with their first use.
"""
