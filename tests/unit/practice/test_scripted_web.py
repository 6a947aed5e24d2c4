"""The web of scripted answers leaves nothing open, whenever it ends."""

import gc
import socket

from exonym.testing.scripted import ScriptedWeb, page


def test_connections_that_come_while_the_web_ends_are_closed() -> None:
    clients = []
    for _ in range(50):  # which of them are being accepted at that moment is chance
        with ScriptedWeb({"/": page("x")}) as web:
            host, port = web.address.split(":")
            clients += [socket.create_connection((host, int(port))) for _ in range(5)]
    for client in clients:
        client.close()
    gc.collect()  # a connection that is still open is a warning, and warnings are errors
