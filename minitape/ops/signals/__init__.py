"""Signals: numbers along time.

    fourier     which frequencies there are in one, and back
    framing     cut into pieces that overlap, and put together again; the short-time Fourier transform
    windows     how much each number of a piece counts

`tf.signal` shows them, and opens them with its first use.
"""
