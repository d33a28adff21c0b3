"""Watching and answering: what a program did on its tapes, drawn and explained."""
