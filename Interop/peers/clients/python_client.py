"""HTTP/3 clients that are libraries for Python, behind one interface.

    python_client.py NAME                       fetches REQUESTS into DOWNLOADS, as TESTCASE wants it
    python_client.py NAME request METHOD URL [--field 'NAME: VALUE']… [--body TEXT] [--again]

NAME is aioquic, curl-cffi, niquests, neqo or pycurl. The second form writes the body to standard output as it comes and
`status N` to standard error; --again asks once more over a second connection, with early data where the client can.
AUTHORITY is the file with the authority's certificate.
"""

import argparse
import asyncio
import functools
import os
import ssl
import sys
import urllib.parse

TIME_LIMIT = 300  # seconds for one request


class Failure(Exception):
    """What a client says of a request that did not succeed."""


def one_by_one(client, method, urls, fields, body, takes):
    return [client.request(method, url, fields, body, take) for url, take in zip(urls, takes)]


class Niquests:
    def __init__(self, authority):
        import niquests

        self.library, self.authority, self.session = niquests, authority, None

    def connect(self):
        self.close()
        self.session = self.library.Session(disable_http1=True, disable_http2=True)

    def request(self, method, url, fields, body, take):
        parts = urllib.parse.urlsplit(url)
        self.session.quic_cache_layer.add_domain(parts.hostname, parts.port or 443)  # no Alt-Svc is needed
        answer = self.session.request(method, url, headers=fields, data=body, stream=True, verify=self.authority,
                                      timeout=TIME_LIMIT, allow_redirects=False)
        if answer.http_version != 30:
            raise Failure("the answer came over HTTP version %s" % answer.http_version)
        for chunk in answer.iter_content(-1):
            take(chunk)
        return answer.status_code

    def close(self):
        if self.session:
            self.session.close()


class CurlCFFI(Niquests):
    def __init__(self, authority):
        import curl_cffi
        from curl_cffi.const import CurlHttpVersion

        self.library, self.authority, self.session = curl_cffi, authority, None
        self.version = CurlHttpVersion.V3ONLY

    def connect(self):
        self.close()
        self.session = self.library.Session()

    def request(self, method, url, fields, body, take):
        # With `stream` each request would have a connection of its own.
        answer = self.session.request(method, url, headers=fields, data=body, content_callback=take,
                                      verify=self.authority, timeout=TIME_LIMIT, http_version=self.version)
        return answer.status_code


class Neqo(Niquests):
    def __init__(self, authority):
        import rex_tls

        self.library, self.authority, self.session = rex_tls, authority, None

    def connect(self):
        self.session = self.library.Session(profile="firefox_156", http3="only", verify=self.authority)

    def request(self, method, url, fields, body, take):
        answer = self.session.request(method, url, headers=fields, data=body, verify=self.authority)
        take(answer.content)
        return answer.status_code

    def close(self):
        pass


class PycURL:
    """libcurl's GnuTLS flavour. One handle is one connection; the share keeps the tickets."""

    HTTP_3_ONLY, EARLY_DATA = 31, 1 << 6  # CURL_HTTP_VERSION_3ONLY, CURLSSLOPT_EARLYDATA: newer than pycurl's names

    def __init__(self, authority):
        import pycurl

        self.library, self.authority, self.curl = pycurl, authority, None
        self.share = pycurl.CurlShare()
        self.share.setopt(pycurl.SH_SHARE, pycurl.LOCK_DATA_SSL_SESSION)

    def connect(self):
        self.close()
        self.curl = self.library.Curl()
        self.curl.setopt(self.curl.SHARE, self.share)

    def request(self, method, url, fields, body, take):
        curl = self.curl
        curl.reset()  # keeps the connection and the share
        curl.setopt(curl.URL, url)
        curl.setopt(curl.HTTP_VERSION, self.HTTP_3_ONLY)
        curl.setopt(curl.SSL_OPTIONS, self.EARLY_DATA)
        curl.setopt(curl.CAINFO, self.authority)
        curl.unsetopt(curl.CAPATH)  # or all of the system's authorities are read for each connection
        curl.setopt(curl.TIMEOUT, TIME_LIMIT)
        curl.setopt(curl.HTTPHEADER, ["%s: %s" % field for field in fields.items()])
        curl.setopt(curl.WRITEFUNCTION, take)
        if body is not None:
            curl.setopt(curl.POSTFIELDS, body)
        curl.setopt(curl.CUSTOMREQUEST, method)
        try:
            curl.perform()
        except self.library.error as failure:
            raise Failure("libcurl error %d: %s" % failure.args) from None
        return curl.getinfo(curl.RESPONSE_CODE)

    def close(self):
        if self.curl:
            self.curl.close()


class Aioquic:
    def __init__(self, authority):
        from aioquic_client import Connection

        self.make, self.authority, self.connection, self.tickets = Connection, authority, None, []
        self.loop = asyncio.new_event_loop()

    def connect(self):
        self.close()
        self.connection = self.make(self.authority, self.tickets)

    def request(self, method, url, fields, body, take):
        return self.request_all(method, [url], fields, body, [take])[0]

    def request_all(self, method, urls, fields, body, takes):
        try:
            return self.loop.run_until_complete(
                asyncio.wait_for(self.connection.request_all(method, urls, fields, body, takes), TIME_LIMIT))
        except (ConnectionError, asyncio.TimeoutError, ssl.SSLError) as failure:
            raise Failure("%s %s" % (type(failure).__name__, failure)) from None

    def close(self):
        if self.connection:
            self.loop.run_until_complete(self.connection.close())


CLIENTS = {"aioquic": Aioquic, "curl-cffi": CurlCFFI, "niquests": Niquests, "neqo": Neqo, "pycurl": PycURL}


def batches(case, requests):
    """The requests of each connection."""
    if case == "multiconnect":
        return [[request] for request in requests]
    if case in ("resumption", "zerortt"):
        return [requests[:1], requests[1:]]
    return [requests]


def append(path, chunk):
    # Thousands may be under way, more than there are descriptors.
    with open(path, "ab") as file:
        file.write(chunk)


def download(client):
    for batch in batches(os.environ["TESTCASE"], os.environ["REQUESTS"].split()):
        client.connect()
        names = [os.path.basename(urllib.parse.urlsplit(url).path) for url in batch]
        paths = [os.path.join(os.environ["DOWNLOADS"], name) for name in names]
        for path in paths:
            open(path, "wb").close()
        takes = [functools.partial(append, path) for path in paths]
        request_all = getattr(client, "request_all", functools.partial(one_by_one, client))
        for url, status in zip(batch, request_all("GET", batch, {}, None, takes)):
            if status != 200:
                raise Failure("%s: status %d" % (url, status))
    client.close()


def request(client, options):
    fields = dict(field.split(": ", 1) for field in options.field)

    def take(chunk):
        sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()

    for _ in range(2 if options.again else 1):
        client.connect()
        status = client.request(options.method, options.url, fields, options.body, take)
        print("status %d" % status, file=sys.stderr, flush=True)
    client.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=list(CLIENTS))
    commands = parser.add_subparsers(dest="command")
    asked = commands.add_parser("request")
    asked.add_argument("method")
    asked.add_argument("url")
    asked.add_argument("--field", action="append", default=[])
    asked.add_argument("--body")
    asked.add_argument("--again", action="store_true")
    options = parser.parse_args()
    # What names the system's authorities must not outrank the one that is given.
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"):
        os.environ.pop(name, None)
    try:
        client = CLIENTS[options.name](os.environ["AUTHORITY"])
        if options.command:
            request(client, options)
        else:
            download(client)
        status = 0
    except (Failure, OSError) as failure:
        print("%s: %s" % (options.name, failure), file=sys.stderr)
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # neqo's binding keeps a thread that never ends


main()
