"""Whether and when a server may be sent a request: robots.txt, its permissions, and the delays between requests.

The time and the replies of servers are arguments: nothing here reads a clock or opens a connection.
"""
