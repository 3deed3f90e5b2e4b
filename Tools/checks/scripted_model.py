"""A model that says what a check sets: the Responses API on loopback, as far as codex uses it."""

import http.server
import json
import queue
import threading
import time


def text(words, item, phase=None, pause=0.0):
    """The model writes words, one by one."""
    def step(emit):
        message = {"type": "message", "id": item, "role": "assistant", "content": []}
        if phase:
            message["phase"] = phase
        emit("response.output_item.added", output_index=0, item=message)
        for number, word in enumerate(words.split(" ")):
            emit("response.output_text.delta", item_id=item, output_index=0, content_index=0,
                 delta=word if number == 0 else " " + word)
            time.sleep(pause)
        emit("response.output_item.done", output_index=0,
             item=dict(message, content=[{"type": "output_text", "text": words}]))
    return step


def call(name, arguments, call_id, namespace=None):
    """The model calls a tool."""
    def step(emit):
        item = {"type": "function_call", "id": "fc_" + call_id, "call_id": call_id, "name": name,
                "arguments": json.dumps(arguments)}
        if namespace:
            item["namespace"] = namespace
        emit("response.output_item.added", output_index=0, item=item)
        emit("response.output_item.done", output_index=0, item=item)
    return step


def command(line, call_id):
    """The model asks for a command outside of the sandbox."""
    return call("exec_command", {"cmd": line, "sandbox_permissions": "require_escalated", "justification": "a check"},
                call_id)


class ScriptedModel:
    """Each request takes the next answer, a list of steps; one that nobody put in is "Done."."""

    def __init__(self, port=0):
        answers = self.answers = queue.Queue()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # A word leaves when it is written, whatever is not acknowledged yet.
            disable_nagle_algorithm = True

            def log_message(self, *_):
                pass

            def do_GET(self):
                self.send_response(404)
                self.send_header("content-length", "0")
                self.end_headers()

            def do_POST(self):
                self.rfile.read(int(self.headers.get("content-length") or 0))
                try:
                    steps = answers.get_nowait()
                except queue.Empty:
                    steps = [text("Done.", "msg_done")]
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("connection", "close")
                self.end_headers()
                self.close_connection = True

                def emit(kind, **members):
                    data = json.dumps(dict(members, type=kind))
                    self.wfile.write(("event: %s\ndata: %s\n\n" % (kind, data)).encode())
                    self.wfile.flush()
                try:
                    emit("response.created", response={"id": "resp_1"})
                    for step in steps:
                        step(emit)
                    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15, "input_tokens_details": None,
                             "output_tokens_details": None}
                    emit("response.completed", response={"id": "resp_1", "usage": usage})
                except (BrokenPipeError, ConnectionResetError):
                    pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, *steps):
        self.answers.put(steps)

    def forget(self):
        while not self.answers.empty():
            self.answers.get_nowait()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


CONFIGURATION = """# kept: the first line
model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "%(approval)s"  # kept: behind the policy
sandbox_mode = "%(sandbox)s"
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
plugins = false

[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:%(port)d/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
%(more)s"""


def configuration(model, approval="on-request", sandbox="workspace-write", more=""):
    return CONFIGURATION % {"approval": approval, "sandbox": sandbox, "port": model.port, "more": more}
