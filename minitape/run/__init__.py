"""Runs a script in its own process: takes a program and the options of the run, and returns the trace and how the run ended.

program options            what can be run, and the options of a run
process workers            the command's side: one run, or many runs (streams child_processes received outcome)
channel messages           the connection between the two sides
jobs ending                the data that is sent to the script's process, and the data that it returns
child/                     the script's side
"""
