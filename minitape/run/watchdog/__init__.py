"""Ends the processes that a command has started if the command is killed.

guarding   the command's side: starts the watchdog, and names the processes to guard
process    the watchdog itself
"""
