"""In goes a trace or an explanation, out comes what a notebook shows of it: a picture, a page in a frame, a few lines."""
