"""Runs a script in its own process: takes a program and how to run it, and returns its trace and how it ended.

program options            what can be run, and the options of a run
process workers            the command's side: one run, or many (streams child_processes received outcome)
channel messages           the connection between both sides
jobs ending                the data that is sent, and the data that is returned
child/                     the script's side
"""
