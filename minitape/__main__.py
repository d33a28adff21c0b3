"""`python -m minitape`: the command line."""

from minitape_cli import main

if __name__ == "__main__":
    main()
