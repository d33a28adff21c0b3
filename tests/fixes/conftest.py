"""The programs whose fixes are typed are scripts to be run, not modules to be imported."""

collect_ignore = ["programs"]
