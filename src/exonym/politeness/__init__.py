"""Whether and when a server may be asked: robots.txt, its permissions, and the delays between requests.

Everything here is told the time and the answers of servers; it reads no clock and opens no connection.
"""
