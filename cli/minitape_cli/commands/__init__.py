"""One module per command. The function's signature is the interface, and its body is one call into the library."""
