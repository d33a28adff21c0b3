"""Images: [height, width, channels], or a batch of them.

    resizing     resize; crop and resize
    framing      crop, pad, flip
    adjusting    brightness, contrast, dtypes
    colours      color spaces
    measuring    gradients and similarity of images
    chance       random changes

`tf.image` contains these functions, and imports the modules when they are first used.
"""
