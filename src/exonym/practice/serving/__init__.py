"""The practice web on a loopback address: one server for many virtual hosts.

`server` listens, `connection` reads requests, `answers` decides what to send, `well_known` serves robots.txt and
sitemaps, `counts` keeps what was requested. `server_process` runs the server as a child process, whose program is
`child`.
"""
