"""Errors for names that minitape does not have. They show what TensorFlow has under the name, and what to write instead.

    table         TensorFlow's public names, as recorded
    advice        why minitape lacks some of them, and what to write instead
    messages      the messages that combine the two
    lookahead     names in a program's text that minitape lacks, found before it runs
    program_text  the names in a text
    errors        the errors, for modules, `from ... import`, and attributes of objects

These modules are imported only when a name is missing, or when a script that runs on minitape imports TensorFlow.
"""
