"""Pictures: [height, width, channels], or a batch of them.

    resizing     more rows and columns or fewer; the cut that is then resized
    framing      cut off, put a border around, turn over
    adjusting    brighter, of more contrast, in another dtype
    colours      the same colour in other coordinates
    measuring    how rough a picture is, how far two are apart
    chance       some of the above, by how much a random number decides

`tf.image` shows them, and opens them with its first use.
"""
