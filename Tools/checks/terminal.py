"""Programs on a terminal of their own, `chat` among them, for the checks in this folder's parent."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from programs import CHAT_LIMIT, CheckFailed, program

CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class TerminalProgram:
    """A program at 80x24; what is expected comes behind what was expected before."""

    def __init__(self, arguments, environment=None):
        self.name = os.path.basename(arguments[0])
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        # As a person's terminal does, this one sends the signals that are typed.
        self.process = subprocess.Popen(
            ["setsid", "--ctty", *arguments], stdin=slave, stdout=slave, stderr=slave,
            env={**os.environ, "TERM": "xterm-256color", **(environment or {})})
        os.close(slave)
        self.limit = time.monotonic() + CHAT_LIMIT
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.record, self.place = "", 0

    def read(self):
        """Takes what comes next; false once the program has closed the terminal."""
        if not select.select([self.master], [], [], max(0.0, self.limit - time.monotonic()))[0]:
            raise CheckFailed("nothing came in time; the last words: %r" % self.record[-500:])
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.record += self.decoder.decode(data)
        return bool(data)

    def expect(self, words):
        """Waits for the words; answers what came before them, without styles."""
        while (found := self.record.find(words, self.place)) < 0:
            if not self.read():
                raise CheckFailed("%s ended without %r; the last words: %r" % (self.name, words, self.record[-500:]))
        before, self.place = self.record[self.place:found], found + len(words)
        return CONTROLS.sub("", before)

    def type(self, text):
        os.write(self.master, text.encode())

    def wait(self):
        """The exit status, once the program has ended by itself; less than zero is the signal that ended it."""
        while self.read():
            pass
        return self.process.wait(10.0)

    @property
    def shows_typing(self):
        """Whether typed characters are shown and handed over by the line, as a shell leaves the terminal."""
        modes = termios.tcgetattr(self.master)[3]
        return bool(modes & termios.ECHO) and bool(modes & termios.ICANON)

    def end(self, how=signal.SIGKILL):
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait()
        if self.master >= 0:
            os.close(self.master)
        self.master = -1


class TerminalChat(TerminalProgram):
    """`chat` against a backend."""

    def __init__(self, backend, options=()):
        super().__init__([
            program("chat"), "--url", "https://127.0.0.1:%d" % backend.port, "--ca-file", backend.certificate,
            "--api-key-file", backend.key_file, *options])
