"""Images: [height, width, channels], or a batch of them.

    resizing             resize; crop and resize
    framing              crop, pad, flip
    adjustment           brightness, contrast, dtypes
    colors               color spaces
    measuring            gradients and similarity of images
    random_augmentation  random changes

`tf.image` contains these functions, and imports the modules when they are first used.
"""
