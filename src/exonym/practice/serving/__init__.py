"""The practice web on a loopback address: a server with many virtual hosts."""
