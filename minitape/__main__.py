"""Runs the command line for `python -m minitape`."""

from minitape_cli import main

if __name__ == "__main__":
    main()
