"""The command line of minitape. `main` is what the shell calls."""

import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from minitape_cli.version import version

        print(f"minitape {version()}")
        return
    from minitape_cli.app import app

    app(prog_name="minitape")
