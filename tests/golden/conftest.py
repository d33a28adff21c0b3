"""The scripts here are what the traces beside them were written from: students' programs, no tests."""

collect_ignore_glob = ["draw/*.py"]
