"""Errors for names that minitape does not have: they show what TensorFlow has under the name, and what to write instead.

    table         TensorFlow's public names, as recorded
    advice        why minitape lacks some of them, and what to write instead
    messages      the sentences made from both
    lookahead     names in a program's text that minitape lacks, found before it runs
    program_text  the names in a text
    errors        the errors, for modules, `from ... import`, and attributes of objects

Nothing of this is imported before a name is missing, or a script on minitape imports TensorFlow.
"""
