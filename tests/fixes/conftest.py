"""The programs whose fixes are typed are scripts to run, not modules to import."""

collect_ignore = ["programs"]
