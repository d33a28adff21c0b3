"""One module per command: its signature is the interface, its body one call into the library."""
