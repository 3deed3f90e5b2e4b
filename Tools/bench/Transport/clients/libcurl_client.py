"""libcurl's GnuTLS flavour over HTTP/3, called through ctypes so that no Python stands in the path of a transfer.

    libcurl_client.py download URL CA | upload URL CA BYTES | events URL CA | idle URL CA COUNT SECONDS

Prints one JSON object: what the mode measures, and this process's own use of the processor in it. `idle` prints a line
for each state and holds its connections until the seconds are over.
"""

import ctypes
import json
import os
import resource
import sys
import time

curl = ctypes.CDLL("libcurl-gnutls.so.4")
libc = ctypes.CDLL(None)
curl.curl_easy_init.restype = curl.curl_multi_init.restype = ctypes.c_void_p
curl.curl_easy_strerror.restype = ctypes.c_char_p
libc.fopen.restype = ctypes.c_void_p

WRITEDATA, URL, READDATA, WRITEFUNCTION, ERRORBUFFER = 10001, 10002, 10009, 20011, 10010
UPLOAD, CAINFO, CAPATH, HTTP_VERSION, INFILESIZE, CUSTOMREQUEST = 46, 10065, 10097, 84, 30115, 10036
HTTP_3_ONLY = 31
WRITER = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p)


def option(easy, name, value):
    if isinstance(value, int) and name < 10000:
        value = ctypes.c_long(value)
    elif isinstance(value, int):
        value = ctypes.c_int64(value)
    code = curl.curl_easy_setopt(ctypes.c_void_p(easy), name, value)
    if code:
        sys.exit("libcurl: option %d: %s" % (name, curl.curl_easy_strerror(code).decode()))


def make(url, authority):
    easy = curl.curl_easy_init()
    option(easy, URL, url.encode())
    option(easy, CAINFO, authority.encode())
    # Otherwise it reads all of the system's authorities for each connection.
    option(easy, CAPATH, None)
    option(easy, HTTP_VERSION, HTTP_3_ONLY)
    return easy


def perform(easy):
    code = curl.curl_easy_perform(ctypes.c_void_p(easy))
    if code:
        sys.exit("libcurl: " + curl.curl_easy_strerror(code).decode())


def usage():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime, used.ru_nvcsw + used.ru_nivcsw


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def transfer(easy):
    option(easy, WRITEDATA, ctypes.c_void_p(libc.fopen(b"/dev/null", b"w")))
    before, began = usage(), time.monotonic()
    perform(easy)
    wall, after = time.monotonic() - began, usage()
    print(json.dumps({"wall_s": wall, "cpu_s": after[0] - before[0], "switches": after[1] - before[1]}))


def upload(easy, count):
    """From a sparse file: libcurl's own fread, and nothing to make."""
    path = "/tmp/bench-libcurl-%d" % os.getpid()
    with open(path, "wb") as file:
        file.truncate(count)
    option(easy, UPLOAD, 1)
    option(easy, CUSTOMREQUEST, b"POST")
    option(easy, INFILESIZE, count)
    option(easy, READDATA, ctypes.c_void_p(libc.fopen(path.encode(), b"r")))
    os.unlink(path)
    transfer(easy)


def events(easy):
    """Each event's data begins with the monotonic time at which it was written, in nanoseconds."""
    delays = []
    state = {"rest": b"", "first": None}

    def write(data, size, count, _):
        now = time.monotonic_ns()
        if state["first"] is None:
            state["first"] = usage()
        *blocks, state["rest"] = (state["rest"] + ctypes.string_at(data, size * count)).split(b"\n\n")
        for block in blocks:
            if block.startswith(b"data: "):
                delays.append(now - int(block[6:].split(b" ", 1)[0]))
        return size * count

    writer = WRITER(write)
    option(easy, WRITEFUNCTION, writer)
    perform(easy)
    after = usage()
    print(json.dumps({"delays_ns": delays, "cpu_s": after[0] - state["first"][0],
                      "switches": after[1] - state["first"][1]}))


def idle(url, authority, count, seconds):
    multi = ctypes.c_void_p(curl.curl_multi_init())
    curl.curl_multi_setopt(multi, 3, ctypes.c_long(0))  # CURLMOPT_PIPELINING: a connection for each
    sink = ctypes.c_void_p(libc.fopen(b"/dev/null", b"w"))
    running, begun, opened = ctypes.c_int(), [], [0]

    def write(_data, size, number, _context):
        opened[0] += 1
        return size * number

    writer = WRITER(write)

    def turn(milliseconds):
        curl.curl_multi_perform(multi, ctypes.byref(running))
        curl.curl_multi_poll(multi, None, 0, milliseconds, None)

    def add():
        easy = make(url, authority)
        option(easy, WRITEDATA, sink)
        option(easy, WRITEFUNCTION, writer)
        curl.curl_multi_add_handle(multi, ctypes.c_void_p(easy))
        begun.append(easy)

    def wait():
        limit = time.monotonic() + 60
        while opened[0] < len(begun) and time.monotonic() < limit:
            turn(100)

    add()
    wait()
    before = resident()
    while len(begun) <= count:
        for _ in range(min(20, count + 1 - len(begun))):
            add()
        wait()
    after = resident()
    used, limit = usage(), time.monotonic() + seconds
    while time.monotonic() < limit:
        turn(1000)
    print(json.dumps({"connections": opened[0] - 1, "bytes": after - before, "cpu_s": usage()[0] - used[0],
                      "seconds": seconds, "switches": usage()[1] - used[1]}))


def main():
    mode, url, authority = sys.argv[1:4]
    curl.curl_global_init(ctypes.c_long(3))
    if mode == "download":
        transfer(make(url, authority))
    elif mode == "upload":
        upload(make(url, authority), int(sys.argv[4]))
    elif mode == "events":
        events(make(url, authority))
    elif mode == "idle":
        idle(url, authority, int(sys.argv[4]), float(sys.argv[5]))


main()
