"""`python -m minitape_cli`."""

from minitape_cli import main

if __name__ == "__main__":
    main()
