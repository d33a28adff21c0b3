"""A script in its own process: in goes a program and how it is to be run, out comes its trace and how it ended.

program wishes             what can be run, and how
process workers            the command's side: one run, or many (streams offspring heard outcome)
channel messages           what both sides see
jobs ending                what goes over, and what comes back
child/                     the script's side
"""
