"""Several backends on one PostgreSQL database, and a proxy that speaks HTTP/3 in front of them."""

import os
import signal
import subprocess
import time
import urllib.request
import ssl

import programs
from programs import Backend, CheckFailed, Child

HERE = os.path.dirname(os.path.abspath(__file__))
PEERS = os.path.join(programs.ROOT, "Interop", "peers")

# A backend that does not answer is left within some seconds, and what it was answering is cut off.
PROXY = """
global
  limited-quic
  maxconn 512
  log stderr format raw daemon notice
  hard-stop-after 500ms
defaults
  mode http
  option http-no-delay
  option httpchk
  http-check send meth GET uri /health ver HTTP/1.1 hdr Host localhost
  default-server ssl verify none check check-ssl inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
  option redispatch
  retries 3
  timeout connect 1s
  timeout check 2s
  timeout client 300s
  timeout server 300s
  timeout http-request 60s
frontend front
  bind quic4@127.0.0.1:{port} ssl crt {bundle} alpn h3
  bind 127.0.0.1:{port} ssl crt {bundle} alpn h2,http/1.1
  http-response set-header alt-svc 'h3=":{port}"; ma=60'
  default_backend backends
backend backends
  balance roundrobin
{servers}
"""


class Cluster:
    """A PostgreSQL of the check's own, which takes the orders of `cluster`."""

    def __init__(self, settings=()):
        arguments = [word for setting in settings for word in ("-c", setting)]
        self.process = subprocess.Popen(
            [os.path.join(HERE, "cluster"), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            bufsize=1)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise CheckFailed("no PostgreSQL; its message is above")
        self.folder = self.url.split("host=")[1].split("&")[0]

    def order(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        if self.process.stdout.readline().strip() != "done":
            raise CheckFailed("PostgreSQL did not %s" % word)

    def run(self, sql):
        done = subprocess.run(["psql", self.url, "-qAtX", "-c", sql], capture_output=True, text=True, check=False)
        if done.returncode:
            raise CheckFailed("psql: %s" % done.stderr.strip())
        return done.stdout.strip()

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Member(Backend):
    """One of the backends."""

    def __init__(self, folder, port, cluster, options=(), rate=None):
        self.url = cluster.url
        super().__init__(folder, port, rate=rate, options=options, database=cluster.url)

    def is_well(self):
        context = ssl._create_unverified_context()  # only whether it answers
        try:
            with urllib.request.urlopen("https://127.0.0.1:%d/health" % self.port, timeout=5, context=context) as answer:
                return answer.status == 200
        except OSError:
            return False


class BackendGroup:
    """Backends that share a database; `restart` brings back one that was killed."""

    def __init__(self, folder, count, options=(), rate=None, settings=()):
        self.folder, self.options, self.rate = folder, list(options), rate
        self.cluster, self.proxy, self.members = Cluster(settings), None, []
        try:
            for _ in range(count):
                self.members.append(Member(folder, programs.free_port(), self.cluster, self.options, rate))
        except BaseException:
            self.end()
            raise

    def start_proxy(self):
        """HAProxy in front; raises SystemExit with the reason where it is not available."""
        fetched = subprocess.run(
            [os.path.join(PEERS, "server"), "haproxy", "--fetch"], capture_output=True, text=True, check=False)
        if fetched.returncode:
            programs.skip("HAProxy is not available: %s" % fetched.stderr.strip())
        kept = os.environ.get("AGENT_STREAM_PEERS") or os.path.join(
            os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "agent-stream", "peers")
        root = os.path.join(kept, "roots", "haproxy-trixie")
        bundle, configuration = os.path.join(self.folder, "bundle.pem"), os.path.join(self.folder, "haproxy.cfg")
        with open(bundle, "w", encoding="ascii") as file:
            for part in (self.members[0].certificate, self.members[0].private_key):
                with open(part, encoding="ascii") as source:
                    file.write(source.read())
        port = programs.free_port()
        servers = "\n".join(
            "  server backend%d 127.0.0.1:%d" % (number, member.port) for number, member in enumerate(self.members))
        with open(configuration, "w", encoding="ascii") as file:
            file.write(PROXY.format(port=port, bundle=bundle, servers=servers))
        self.proxy = Child([
            os.path.join(root, "usr/lib64/ld-linux-x86-64.so.2"), "--library-path",
            os.path.join(root, "usr/lib/x86_64-linux-gnu") + ":" + os.path.join(root, "usr/lib"),
            os.path.join(root, "usr/sbin/haproxy"), "-f", configuration, "-db"])
        context = ssl._create_unverified_context()
        limit = time.monotonic() + programs.START_LIMIT
        while True:
            try:
                with urllib.request.urlopen("https://127.0.0.1:%d/health" % port, timeout=2, context=context):
                    return port
            except OSError:
                if self.proxy.process.poll() is not None or time.monotonic() > limit:
                    raise CheckFailed("HAProxy does not answer: %s" % self.proxy.errors.text()[-1000:]) from None
                time.sleep(0.1)

    def owner(self, session):
        """The backend that has the session's turn; None where none has."""
        holder = self.cluster.run(
            "SELECT holder FROM ledger_streams WHERE name = 'session/%s' AND expires_at IS NOT NULL" % session)
        process = holder.split("/")[1] if holder.startswith("backend/") else ""
        return next((member for member in self.members if str(member.process.pid) == process), None)

    def restart(self, member):
        place = self.members.index(member)
        member.end()
        self.members[place] = Member(self.folder, member.port, self.cluster, self.options, self.rate)

    def end(self):
        for child in [self.proxy, *self.members]:
            if child is not None:
                if child.process.poll() is None:
                    child.process.send_signal(signal.SIGCONT)
                child.end()
        self.cluster.end()
