"""Ends what a command has started if the command is killed.

guarding   the command's side: starts the watchdog, and says what it guards
process    the watchdog itself
"""
