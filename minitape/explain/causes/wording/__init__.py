"""The logic for the texts of some causes, where it is longer.

storing    the texts for a store into a variable
stores     the tensor that replaces a variable, for each call that stores into one
stopping   a `stop_gradient`, and which side of a difference it was meant for
accuracy   accuracy in place of a loss, and the loss to train on instead
cached     a value that a cache or a store keeps between calls
copies     a source that was combined from others, or split from one
array_methods  methods of NumPy arrays, as TensorFlow functions
loops      a loop that stores into each variable of a list
indices    an index of the largest score, and the weights to use instead
dying      which update killed a unit
usual      what people usually write in place of a known mistake
"""
