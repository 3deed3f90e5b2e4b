"""Serves a folder over HTTP/1.1 to a proxy that has no file server of its own.

    file_server.py FOLDER PARENT

Listens on a free port of 127.0.0.1, prints HOST:PORT, and ends with the process PARENT, its parent.
"""

import ctypes
import functools
import http.server
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


class Files(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # an answer is two writes: with Nagle's algorithm 40 ms lie between them

    def log_message(self, *_):
        pass


def main():
    folder, parent = sys.argv[1], int(sys.argv[2])
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        return  # it ended before the line above could notice
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder))
    server.daemon_threads = True
    print("127.0.0.1:%d" % server.server_port, flush=True)
    server.serve_forever()


main()
