"""A program on a terminal that keeps its screen (tmux), for the checks in this folder's parent."""

import os
import shutil
import subprocess
import time

from programs import CheckFailed


def tmux():
    return shutil.which("tmux")


class Screen:
    """A program in a tmux server of its own: what is typed, and what stands on the screen and above it."""

    def __init__(self, folder, arguments, environment, prefix=(), width=110, height=40):
        self.socket, self.prefix = os.path.join(folder, "tmux"), list(prefix)
        self.environment = {**environment, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        self.run("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height), *arguments)
        self.run("set-option", "-g", "history-limit", "20000")

    def run(self, *words):
        done = subprocess.run([*self.prefix, tmux(), "-S", self.socket, *words], capture_output=True, text=True,
                              env=self.environment, check=False)
        if done.returncode:
            raise CheckFailed("tmux %s: %s" % (words[0], done.stderr.strip()))
        return done.stdout

    def type(self, line):
        self.run("send-keys", "-l", line)
        self.run("send-keys", "Enter")

    def lines(self):
        """All that was written, wrapped lines as one."""
        return [line.rstrip() for line in self.run("capture-pane", "-p", "-J", "-S", "-").splitlines()]

    def wait(self, words, seconds=60.0):
        end = time.monotonic() + seconds
        while words not in (text := "\n".join(self.lines())):
            if time.monotonic() > end:
                raise CheckFailed("the screen never had %r: %s" % (words, text[-2000:]))
            time.sleep(0.1)

    def end(self):
        subprocess.run([*self.prefix, tmux(), "-S", self.socket, "kill-server"], capture_output=True, check=False)
