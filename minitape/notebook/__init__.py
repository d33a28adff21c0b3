"""The representations of traces and explanations in a notebook: a picture, a page in a frame, a few lines."""
