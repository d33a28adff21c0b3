"""The longer logic behind the words of some causes.

storing    a store into a variable, and the tensor to use instead
stopping   a `stop_gradient`, and which side of a difference it was meant for
accuracy   accuracy in place of a loss, and the loss to train on instead
cached     a value that a cache or a store keeps between calls
copies     a source that was combined from others, or split from one
dying      which update killed a unit
"""
