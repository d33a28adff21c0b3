"""What to say of a name that is not here. In goes a name, out comes the error that tells what it is.

    table      TensorFlow's public names, as recorded
    advice     why some are not here, and what to write instead
    telling    the sentences made of both
    asked      the errors: of rooms, of `from ... import`, of modules, of objects

Nothing of it is loaded before a name is missing.
"""
