"""Signal processing.

    fourier     Fourier and cosine transforms
    framing     overlapping frames; the short-time Fourier transform
    windows     window functions

`tf.signal` contains these functions, and imports the modules when they are first used.
"""
