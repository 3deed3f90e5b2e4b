"""`remote open` as scripts use it: what comes before it ends, and its exit codes; for the checks in this folder's parent."""

import json
import os
import subprocess
import time

from companion import LIMIT
from programs import demand
from remote import OpenChat
from scripted_model import command, text

WORDS = " ".join("piped%d" % number for number in range(30))


class Ended:
    """One run of `remote open` to its end."""

    def __init__(self, remote, *words, lines="", code=0):
        self.began = time.monotonic()
        done = subprocess.run(remote.arguments(*words), input=lines, capture_output=True, text=True, timeout=LIMIT,
                              env=remote.environment())
        self.seconds = time.monotonic() - self.began
        self.output, self.errors = done.stdout, done.stderr
        demand(done.returncode == code, "remote %s, with input %r: exit code %d instead of %d: %s" % (
            " ".join(words), lines, done.returncode, code, done.stderr[-1000:] + done.stdout[-1000:]))

    def objects(self, kind):
        return [value for value in map(json.loads, self.output.splitlines()) if value["kind"] == kind]

    def command(self, name):
        found = [value for value in self.objects("command") if value["command"] == name]
        demand(len(found) == 1, "/%s has %d objects: %s" % (name, len(found), self.output[-1000:]))
        return found[0]


def texts(remote, chat, last):
    """The history's texts, once this one is among them: the latest turn is reported once more, beside what is asked for."""
    end = time.monotonic() + LIMIT
    while True:
        history = Ended(remote, "open", chat, "--json", lines="/history\n").command("history")["entries"]
        found = [entry.get("text") for entry in history]
        if last in found or time.monotonic() > end:
            return found


def without_input(machine, remote, chat):
    """An empty input shows the chat, with the turn that runs to its end."""
    machine.model.answer(text(WORDS, "msg_piped", pause=0.1))
    asking = OpenChat(remote, chat)
    try:
        asking.type("count in a pipe")
        turn = asking.wait("message", delivery="delivered")["turn_id"]
        # It may be told first.
        if not asking.of("turn", status="started", turn_id=turn):
            asking.wait("turn", status="started", turn_id=turn)
        running = Ended(remote, "open", chat, "--json")
        demand(running.objects("turn")[-1]["status"] == "completed", "it left before the turn's end: %s" % running.output[-500:])
        demand(asking.leave() == 0, "the exit code of the one who asked")
    finally:
        asking.end()
    over = Ended(remote, "open", chat)
    demand("count in a pipe" in over.output and over.seconds < LIMIT / 2, "the chat was not shown: %r" % over.output)
    same = Ended(remote, "open", chat, "--json")
    said = [entry["text"] for value in same.objects("loaded") for entry in value["entries"] if "text" in entry]
    said += {value["item_id"]: value.get("text") for value in same.objects("entry")}.values()
    demand(said.count("count in a pipe") == 1, "with --json: %s" % said)


def commands(machine, remote, chat):
    """Each command has an object, and a refused one the exit code."""
    project = machine.project
    for words in (("init", "-q", "-b", "main"), ("config", "user.name", "A Person"), ("config", "user.email", "p@localhost"),
                  ("commit", "-q", "--allow-empty", "-m", "begun"), ("branch", "other")):
        subprocess.run(["git", "-C", project, *words], check=True, capture_output=True)
    refused = Ended(remote, "open", chat, "--json", lines="/commit nothing is staged\n/git\n", code=1)
    answer = refused.command("commit")
    demand(not answer["ok"] and answer["code"] == "refused" and "staged" in answer["reason"], "/commit: %s" % answer)
    demand(refused.command("git")["branch"] == "main", "/git after a refusal: %s" % refused.command("git"))
    with open(os.path.join(project, "piped.txt"), "w", encoding="utf-8") as file:
        file.write("one\n")
    subprocess.run(["git", "-C", project, "add", "piped.txt"], check=True)
    lines = ["/git branches", "/diff piped.txt", "/commit Piped", "/checkout other", "/settings", "/model", "/status",
             "/history", "/stop", "/help"]
    done = Ended(remote, "open", chat, "--json", lines="".join(line + "\n" for line in lines))
    names = [value["command"] for value in done.objects("command")]
    demand(names == [line[1:].split()[0] for line in lines] or names[0] == "git", "the objects are of %s" % names)
    demand([each["name"] for each in done.command("git")["branches"]] == ["main", "other"], "%s" % done.command("git"))
    demand("+one" in done.command("diff")["diff"], "/diff: %s" % done.command("diff"))
    demand(len(done.command("commit")["commit"]) >= 40 and done.command("commit")["summary"] == "Piped", "/commit")
    demand(done.command("checkout")["branch"] == "other", "/checkout: %s" % done.command("checkout"))
    demand(done.command("settings")["approval"] == "on-request", "/settings: %s" % done.command("settings"))
    demand(done.command("model")["model"] == "gpt-5.5", "/model: %s" % done.command("model"))
    demand(done.command("status")["connection"]["state"] == "open", "/status: %s" % done.command("status"))
    demand(len(done.command("history")["entries"]) > 3, "/history: %s" % done.command("history"))
    demand(done.command("stop")["interrupted"] is False, "/stop: %s" % done.command("stop"))
    other = remote.ask("new", project, "--model", "gpt-5.5-other")[0]["id"]
    for chosen in (other, chat):
        model = Ended(remote, "open", chosen, "--json", lines="/model\n").command("model")["model"]
        demand(model == ("gpt-5.5-other" if chosen == other else "gpt-5.5"), "/model of %s: %s" % (chosen, model))
    plain = Ended(remote, "open", chat, lines="/git\n/branch\n", code=2)
    demand("on other: 0 staged" in plain.output and "no command /branch" in plain.errors, "%r" % plain.output[-300:])
    dictated = os.path.join(machine.folder, "said.wav")
    with open(dictated, "wb") as file:
        file.write(b"RIFF")
    silent = Ended(remote, "open", chat, "--dictate", dictated, code=1)
    demand("no dictation" in silent.errors, "without dictation: %s" % silent.errors)


def exit_codes(machine, remote, chat, stranger):
    Ended(remote, "open", "00000000-0000-4000-8000-000000000000", code=1)
    Ended(remote, "open", chat, "--json", lines="/answer nothing approve\n", code=1)
    Ended(remote, "open", chat, "--json", lines="/answer nothing\n", code=2)
    Ended(remote, "open", chat, "--patience", "0", code=2)
    Ended(stranger, "chats", code=4)
    # Who ends a turn has what was asked for; who had asked for the turn has not.
    asking, ending = OpenChat(remote, chat), OpenChat(remote, chat)
    try:
        machine.model.answer(text(WORDS, "msg_stopped", pause=0.1))
        asking.type("to be stopped")
        ending.wait("turn", status="started", turn_id=asking.wait("message", delivery="delivered")["turn_id"])
        ending.type("/stop")
        ending.wait("command", interrupted=True)
        codes = asking.leave(), ending.leave()
        demand(codes == (1, 0), "the exit codes around a turn that was ended: %s" % (codes,))
    finally:
        asking.end()
        ending.end()


def dropped_by_codex(machine, remote, chat):
    """codex drops what waits behind a question when its turn is interrupted (seen with 0.163), and that is said."""
    # The turn before may have ended before its answer was begun.
    machine.model.forget()
    machine.model.answer(text("I will ask.", "msg_drop", phase="commentary"), command("touch never", "call_drop"))
    asking = OpenChat(remote, chat)
    try:
        asking.type("ask me")
        asking.wait("approval", status="open")
        asking.type("/steer and this too")
        steered = asking.wait("command", command="steer")["request_id"]
        # The message's outcome may come before or after it.
        if not asking.of("message", delivery="delivered", request_id=steered):
            asking.wait("message", delivery="delivered", request_id=steered)
        asking.type("/stop")
        asking.wait("message", delivery="dropped", request_id=steered)
        demand(asking.leave() == 1, "the exit code of a message that was dropped")
    finally:
        asking.end()
    said = texts(remote, chat, "ask me")
    demand("and this too" not in said, "what was dropped is in the history: %s" % said[-4:])


def late_steers(machine, remote, chat, rounds=25):
    """A message that comes as its turn ends is answered: codex takes it up, and may leave it to the companion to go on."""
    machine.model.forget()
    asking = OpenChat(remote, chat)
    try:
        asking.wait("link", state="open")
        for number in range(rounds):
            machine.model.answer(text("Done with number %d." % number, "msg_late_%d" % number))
            machine.model.answer(text("Heard %d." % number, "msg_heard_%d" % number))
            asking.type("late %d" % number)
            asking.wait("text")
            time.sleep(0.004 * (number % 5))
            asking.type("and %d" % number)
            while asking.wait("entry", progress="completed", role="assistant")["text"] != "Heard %d." % number:
                pass
            while asking.wait("turn")["status"] != "completed":
                pass
        continued = len(asking.of("turn", status="continues"))
        demand(asking.leave() == 0, "the exit code of messages at their turns' ends")
    finally:
        asking.end()
    return continued


def without_companion(machine, remote, chat):
    """Where nobody answers it ends after its patience, and says why."""
    machine.stop_all()
    for options in ((), ("--json",)):
        gone = Ended(remote, "open", chat, "--patience", "2", *options, code=3)
        demand("--patience" in gone.errors, "without a companion: %s" % gone.errors)
    # What is written meanwhile is kept, or taken back.
    machine.start()
    writing = OpenChat(remote, chat)
    try:
        writing.type("/status")
        writing.wait("command", command="status")
        machine.kill()
        writing.wait("link", state="waiting")
        writing.type("taken back")
        taken = writing.wait("message", delivery="retrying")["request_id"]
        writing.type("/withdraw")
        # The message's outcome may come before or after it.
        demand(writing.wait("command", command="withdraw")["messages"] == [taken], "/withdraw: %s" % writing.seen[-1])
        if not writing.of("message", delivery="withdrawn"):
            writing.wait("message", delivery="withdrawn")
        writing.type("kept for later")
        kept = writing.wait("message", delivery="retrying")["request_id"]
        machine.start()
        writing.wait("message", delivery="delivered", request_id=kept)
        demand(writing.leave() == 0, "the exit code after an outage")
    finally:
        writing.end()
    said = texts(remote, chat, "kept for later")
    demand((said.count("kept for later"), said.count("taken back")) == (1, 0), "after an outage: %s" % said[-6:])
    # One that leaves in an outage reports what it has not sent.
    machine.stop_all()
    left = Ended(remote, "open", chat, "--patience", "2", "--message", "never sent", "--json", code=3)
    demand(left.objects("message")[-1]["delivery"] == "failed", "leaving in an outage: %s" % left.output[-500:])
    machine.start()


def revoked(machine, remote, chat):
    device = remote.ask("hosts")[0]["device_id"]
    machine.command("devices", "revoke", device)
    refused = Ended(remote, "open", chat, "--json", code=4)
    closed = [value["code"] for value in refused.objects("link") if value["state"] == "closed"]
    demand(closed == ["unauthorized"], "revoked: %s" % refused.output[-500:])
    Ended(remote, "chats", code=4)
