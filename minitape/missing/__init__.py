"""What to say of a name that is not here. In goes a name, out comes the error that tells what it is.

    table         TensorFlow's public names, as recorded
    advice        why some are not here, and what to write instead
    telling       the sentences made of both
    lookahead     names in a program's text that minitape lacks, found before it runs
    program_text  what a text says about names
    asked         the errors: of rooms, of `from ... import`, of modules, of objects

Python loads nothing of it before a name is missing, or a script on minitape asks for TensorFlow.
"""
