"""Converts the text of a program to a tree whose parts can be found and replaced, and converts a fixed tree to text."""
