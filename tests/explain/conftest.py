"""Prevents pytest from importing the students' scripts."""

collect_ignore = ["cases", "healthy_public"]
