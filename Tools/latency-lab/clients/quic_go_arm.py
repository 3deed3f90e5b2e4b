"""HTTP/3 by quic-go: `quic-go speak` of Interop/peers, with the settings that its HTTP/3 client has by default."""

import asyncio
import json
import os
import subprocess

from speaker_arm import SpeakerArm, processor_seconds

FACTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Interop/peers/clients/quic-go.json")
END_LIMIT = 2.0  # seconds


def software(_):
    if not os.environ.get("QUIC_GO"):
        raise ImportError("QUIC_GO names no program")
    with open(FACTS, encoding="utf-8") as file:
        facts = json.load(file)
    return "%s %s" % (facts["name"], facts["version"])


class QuicGoArm(SpeakerArm):
    spoken = "h3"

    def __init__(self, arm, plan):
        super().__init__(plan, software(arm))
        self._rest = b""
        self._process = subprocess.Popen(
            [os.environ["QUIC_GO"], "speak", plan.origin], bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "AUTHORITY": plan.authority_file})
        # Its first line says that it has read the authority.
        if self._process.stdout.readline() != b'{"kind":"ready"}\n':
            raise OSError("quic-go's client does not start")

    def write(self, order):
        self._process.stdin.write(json.dumps(order).encode() + b"\n")

    async def _run(self, make_conductor):
        output = self._process.stdout.fileno()
        asyncio.get_running_loop().add_reader(output, self._read, output)
        return await super()._run(make_conductor)

    def _read(self, output):
        chunk = os.read(output, 1 << 16)
        if not chunk:
            asyncio.get_running_loop().remove_reader(output)
            self.speaker_ended()
            return
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self.take(json.loads(line))

    def helper_seconds(self):
        return processor_seconds(self._process.pid)

    def close(self):
        self._process.stdin.close()
        try:
            self._process.wait(END_LIMIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
