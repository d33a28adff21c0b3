"""Convolution and pooling of volumes and sequences, and other windows.

    convolution_nd  convolutions over three axes, and over any number
    pooling         pooling over three axes, and over any number; the index of the maximum
    blocks          squares of pixels to channels, and back
    morphology      dilation and erosion
    ctc             the CTC loss for sequences

These modules are imported when they are first used.
"""
