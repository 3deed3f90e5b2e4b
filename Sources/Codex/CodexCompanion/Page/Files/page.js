// The companion's page: projects and chats, a conversation with its stream and approvals, a composer, and a session sheet.
//
// What a model, a file or a repository says comes in as text nodes alone; nothing here makes markup of a text, and the
// page's Content-Security-Policy (trusted-types 'none') would stop it.

"use strict";

// MARK: Parts of the document

const find = (id) => document.getElementById(id);

/// An element with attributes, listeners (functions), and children, of which texts become text nodes.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/// A button that does something here; `kind` is how it looks.
function action(title, click, kind, more = {}) {
  return make("button", { type: "button", class: kind, click, ...more }, title);
}

const hint = (text, kind = "hint") => make("p", { class: kind }, text);

function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", "#i-" + name);
  drawing.setAttribute("aria-hidden", "true");
  drawing.append(use);
  return drawing;
}

/// Tells a person who does not see the page; `urgent` interrupts what is read.
function announce(text, urgent = false) {
  const region = find(urgent ? "alarm" : "announcement");
  region.textContent = "";
  // Two equal texts in a row are read twice only where the region was empty between them.
  setTimeout(() => { region.textContent = words(text); }, 60);
}

/// A value of this browser's storage; what it holds may be of another version, or there may be no storage.
const storage = {
  read(name, otherwise) {
    try { return JSON.parse(localStorage.getItem(name)) ?? otherwise; } catch { return otherwise; }
  },
  write(name, value) {
    try { localStorage.setItem(name, JSON.stringify(value)); } catch { /* Full or forbidden: it lasts as long as the page. */ }
  },
};

const list = (value) => (Array.isArray(value) ? value : []);
const words = (value, otherwise = "") => (typeof value === "string" ? value : otherwise);
const members = (value) => (value !== null && typeof value === "object" && !Array.isArray(value) ? value : {});
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Characters that have a text look like another one: controls, and those that turn its direction or take no room.
const ODD = new RegExp(
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f\\u2028-\\u202e"
    + "\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}]", "gu");

/// The text with each such character as its number: what is approved must be what is read.
function exact(text) {
  const parts = document.createDocumentFragment();
  let end = 0;
  for (const match of text.matchAll(ODD)) {
    parts.append(text.slice(end, match.index));
    const number = match[0].codePointAt(0).toString(16).padStart(4, "0");
    parts.append(make("span", { class: "odd" }, "\\u{" + number + "}"));
    end = match.index + match[0].length;
  }
  parts.append(text.slice(end));
  return parts;
}

/// A block of code that can be scrolled by the keyboard; a very long one is cut, with a button for the rest.
function codeBlock(text, label, { wraps = false, marksOdd = false, limit = 12000 } = {}) {
  const block = make("pre", { class: wraps ? "code wrap" : "code", tabindex: "0", role: "region", "aria-label": label });
  const code = make("code");
  const show = (part) => code.replaceChildren(marksOdd ? exact(part) : part);
  block.append(code);
  // A question shows all of it, however long.
  if (text.length <= limit || marksOdd) {
    show(text);
    return block;
  }
  show(text.slice(0, limit));
  const more = make("button", { type: "button", class: "quiet", click: () => { show(text); more.remove(); block.focus(); } },
    "Show all " + text.length.toLocaleString() + " characters");
  return make("div", {}, block, more);
}

// MARK: The companion

/// What went wrong, in a sentence for a person.
class Failure extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }

  /// Whether it may succeed when it is tried again later: the companion was not reached, or had no room.
  get isPassing() { return [0, 429, 502, 503, 504].includes(this.status); }
}

const session = {
  // A session's access is for 15 minutes.
  renewAfter: 10 * 60 * 1000,
  isOver: false,

  begun(answer) {
    storage.write("renewal", { at: Date.now(), tag: crypto.randomUUID() });
    this.name = answer.name;
    this.isOver = false;
  },

  /// Tells the cookies of this browser apart, which scripts do not see; all tabs have the same.
  get tag() { return storage.read("renewal", {}).tag; },

  /// Renews the session, unless another tab has since it had the tag. One tab at a time: a renewal token that comes twice
  /// would look stolen.
  async renew(tag) {
    const renewal = async () => {
      if (this.tag !== tag) return;
      this.begun((await ask("POST", "/v1/session/renew", {})).data);
    };
    return navigator.locks ? navigator.locks.request("session", renewal) : renewal();
  },

  async renewWhenDue() {
    const { at = 0, tag } = storage.read("renewal", {});
    // A clock that was set back makes it due too.
    if (this.isOver || Math.abs(Date.now() - at) < this.renewAfter) return;
    // Where it fails, the next request that is refused tries again.
    try { await this.renew(tag); } catch { return; }
  },

  lost(message) {
    if (this.isOver) return;
    this.isOver = true;
    conversation.close();
    welcome.show(message);
  },
};

/// One request; of one for a stream the status alone is of interest. Throws Failure.
async function ask(method, path, body, seconds = 20, { isStream = false } = {}) {
  let response;
  let text;
  try {
    response = await fetch(path, {
      method, cache: "no-store", credentials: "same-origin", redirect: "error",
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body), signal: AbortSignal.timeout(seconds * 1000),
    });
    if (isStream && response.ok) {
      await response.body.cancel();
      return {};
    }
    text = await response.text();
  } catch {
    throw new Failure("The companion cannot be reached.");
  }
  let answer = {};
  try { answer = JSON.parse(text); } catch { /* Not the companion's own: the status says enough. */ }
  if (!response.ok) throw new Failure(answer?.error || "The companion answered " + response.status + ".", response.status);
  return answer;
}

/// One request in the session, which is renewed where it has expired. Throws Failure.
async function call(method, path, body, seconds, options) {
  const tag = session.tag;
  try {
    return await ask(method, path, body, seconds, options);
  } catch (failure) {
    if (failure.status !== 401) throw failure;
  }
  try {
    await session.renew(tag);
    return await ask(method, path, body, seconds, options);
  } catch (failure) {
    if (failure.status === 401) session.lost(failure.message);
    throw failure;
  }
}

const data = async (...request) => (await call(...request)).data;
const chatPath = (id, rest) => "/v1/chats/" + encodeURIComponent(id) + rest;
const projectPath = (id, rest) => "/v1/projects/" + encodeURIComponent(id) + rest;

// MARK: Pairing

const welcome = {
  secret: null,

  /// Takes a pairing's secret out of the address, so that no bookmark, no history and no shared link has it.
  takeSecret() {
    const match = /^#([0-9a-f-]{36})\.([0-9a-f]{32})$/.exec(location.hash);
    if (!match) return;
    history.replaceState(null, "", "/");
    this.secret = { pairingId: match[1], nonce: match[2] };
  },

  show(reason) {
    find("app").hidden = true;
    find("welcome").hidden = false;
    find("welcome-state").textContent = "";
    find("pair").hidden = !this.secret;
    const text = find("welcome-text");
    if (this.secret) {
      find("welcome-title").textContent = "Pair this browser";
      text.textContent = "It will control the Codex of " + location.hostname
        + ": read its chats, answer its questions, run commands.";
      find("device-name").value = find("device-name").value || this.guessName();
      find("device-name").focus();
      return;
    }
    find("welcome-title").textContent = "Not paired";
    text.replaceChildren(reason ? reason + " " : "", "At the workstation, run ", make("code", {}, "companion pair --browser"),
      " and open what its code says with this browser.");
    find("welcome-title").focus();
  },

  showUnreachable(message) {
    find("app").hidden = true;
    find("welcome").hidden = false;
    find("pair").hidden = true;
    find("welcome-title").textContent = "No connection";
    find("welcome-text").textContent = message + " Is the workstation on, and this device in its network?";
    find("welcome-state").textContent = "Trying again…";
  },

  guessName() {
    const agent = navigator.userAgent;
    const browser = /Edg/.test(agent) ? "Edge" : /Firefox|FxiOS/.test(agent) ? "Firefox" : /Chrom|CriOS/.test(agent) ? "Chrome"
      : /Safari/.test(agent) ? "Safari" : "Browser";
    const system = /iPhone|iPad/.test(agent) ? "iPhone or iPad" : /Android/.test(agent) ? "Android" : /Mac/.test(agent) ? "Mac"
      : /Windows/.test(agent) ? "Windows" : /Linux/.test(agent) ? "Linux" : "a device";
    return browser + " on " + system;
  },

  async pair(event) {
    event.preventDefault();
    const state = find("welcome-state");
    const button = find("pair").querySelector("button");
    state.className = "";
    button.disabled = true;
    state.textContent = "Now say yes at the workstation, within a minute and a half.";
    try {
      const name = find("device-name").value.trim() || this.guessName();
      const answer = await ask("POST", "/v1/session", { ...this.secret, deviceName: name }, 100);
      this.secret = null;
      session.begun(answer.data);
      await start();
    } catch (failure) {
      state.className = "error";
      state.textContent = failure.message + " Run companion pair --browser again for a new code.";
    } finally {
      button.disabled = false;
    }
  },
};

// MARK: Markdown

/// A small part of Markdown as nodes: blocks of code, headings, lists, quotations, paragraphs, and in them code, emphasis,
/// links to the web. All else stays the text that it is.
const markdown = {
  blocks(text) {
    const parts = document.createDocumentFragment();
    const lines = text.replace(/\r\n?/g, "\n").split("\n");
    let index = 0;
    const taking = (pattern) => {
      const taken = [];
      while (index < lines.length && pattern.test(lines[index])) taken.push(lines[index++]);
      return taken;
    };
    while (index < lines.length) {
      const line = lines[index];
      const fence = /^\s*(`{3,}|~{3,})\s*([\w+#.-]*)/.exec(line);
      const heading = /^(#{1,6})\s+(.*)$/.exec(line);
      if (fence) {
        const code = [];
        for (index += 1; index < lines.length && !lines[index].trim().startsWith(fence[1]); index += 1) code.push(lines[index]);
        index += 1;
        parts.append(codeBlock(code.join("\n"), fence[2] ? "Code, " + fence[2] : "Code"));
      } else if (heading) {
        index += 1;
        parts.append(make(heading[1].length < 3 ? "h3" : "h4", {}, this.spans(heading[2])));
      } else if (/^\s*([-*+]|\d{1,9}[.)])\s+/.test(line)) {
        parts.append(this.list(taking(/^\s*([-*+]|\d{1,9}[.)])\s+|^\s{2,}\S/)));
      } else if (/^\s*>/.test(line)) {
        const quoted = taking(/^\s*>/).map((each) => each.replace(/^\s*>\s?/, ""));
        parts.append(make("blockquote", {}, this.spans(quoted.join("\n"))));
      } else if (line.trim() === "") {
        index += 1;
      } else {
        const paragraph = [];
        const other = /^\s*(`{3,}|~{3,})|^#{1,6}\s|^\s*>|^\s*([-*+]|\d{1,9}[.)])\s+|^\s*$/;
        while (index < lines.length && !other.test(lines[index])) paragraph.push(lines[index++]);
        if (paragraph.length === 0) paragraph.push(lines[index++]);
        parts.append(make("p", {}, this.spans(paragraph.join("\n"))));
      }
    }
    return parts;
  },

  /// One level: an indented line continues the point before it.
  list(lines) {
    const isOrdered = /^\s*\d/.test(lines[0]);
    const start = isOrdered ? Number.parseInt(lines[0], 10) : 1;
    const items = [];
    for (const line of lines) {
      const point = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line);
      if (point) items.push(point[1]);
      else if (items.length > 0) items[items.length - 1] += "\n" + line.trim();
    }
    return make(isOrdered ? "ol" : "ul", { start: isOrdered && start !== 1 ? String(start) : undefined },
      ...items.map((item) => make("li", {}, this.spans(item))));
  },

  spans(text) {
    const parts = document.createDocumentFragment();
    // Each part is bounded, so that no text takes longer than in proportion to its length.
    const pattern = new RegExp([
      /`([^`\n]{1,1000})`/, /\*\*([^*\n]{1,1000})\*\*/, /__([^_\n]{1,1000})__/, /(?<![\w*])\*([^*\s][^*\n]{0,1000})\*/,
      /\[([^\][\n]{1,300})\]\((https?:\/\/[^\s)]{1,2000})\)/, /(https?:\/\/[^\s<>()"'`]{0,2000}[^\s<>()"'`.,;:!?])/,
    ].map((part) => part.source).join("|"), "g");
    let end = 0;
    for (const match of text.matchAll(pattern)) {
      this.lines(parts, text.slice(end, match.index));
      end = match.index + match[0].length;
      const [, code, bold, alsoBold, italic, label, target, bare] = match;
      if (code !== undefined) parts.append(make("code", {}, code));
      else if (bold ?? alsoBold) parts.append(make("strong", {}, bold ?? alsoBold));
      else if (italic) parts.append(make("em", {}, italic));
      else parts.append(this.link(label ?? bare, target ?? bare));
    }
    this.lines(parts, text.slice(end));
    return parts;
  },

  lines(parts, text) {
    text.split("\n").forEach((line, index) => {
      if (index > 0) parts.append(make("br"));
      if (line) parts.append(line);
    });
  },

  /// Its destination is shown beside it, for a label may say anything.
  link(label, target) {
    let url;
    try { url = new URL(target); } catch { return document.createTextNode(label); }
    const link = make("a", { href: url.href, target: "_blank", rel: "noopener noreferrer" }, label);
    if (label === target) return link;
    const parts = document.createDocumentFragment();
    parts.append(link, make("span", { class: "host" }, " (" + url.host + ")"));
    return parts;
  },
};

// MARK: Rows of a conversation

const STATES = { inProgress: "running", in_progress: "running", completed: "", failed: "failed", declined: "declined" };

/// codex wraps a command in a shell: `/bin/bash -lc '…'`. The row shows what is inside, the question shows all.
function shortCommand(command) {
  const match = /^\S*\/(?:ba|z|da)?sh -l?c (['"])([\s\S]*)\1$/.exec(command);
  return (match ? match[2] : command).split("\n")[0];
}

function activityRow({ symbol, what, isCode = false, how = "", isBad = false, more = [] }) {
  const head = [
    icon(symbol), make("span", { class: "what" }, isCode ? make("code", {}, what) : what),
    how && make("span", { class: isBad ? "how bad" : "how" }, how),
  ];
  const parts = more.filter(Boolean);
  return make("li", { class: "act" }, parts.length === 0 ? make("div", { class: "line" }, ...head)
    : make("details", {}, make("summary", {}, ...head), make("div", { class: "more" }, ...parts)));
}

// Characters of a message that are drawn at once: more would stop a phone.
const PROSE_LIMIT = 60000;

/// A message's text; of a very long one the beginning, with a button for the rest.
function proseOf(text) {
  if (text.length <= PROSE_LIMIT) return markdown.blocks(text);
  const parts = document.createDocumentFragment();
  parts.append(markdown.blocks(text.slice(0, PROSE_LIMIT)), codeBlock(text.slice(PROSE_LIMIT), "The rest", { wraps: true }));
  return parts;
}

function messageRow(role, text, phase) {
  if (role === "user") {
    return make("li", { class: "user" }, make("span", { class: "unseen" }, "You: "), make("div", { class: "bubble" }, text));
  }
  return make("li", { class: phase === "commentary" ? "agent commentary" : "agent" },
    make("span", { class: "unseen" }, "Codex: "), make("div", { class: "prose" }, proseOf(text)));
}

function noteRow(text, isError = false) {
  return make("li", { class: isError ? "note error" : "note" }, icon("note"), make("span", {}, text));
}

/// A row of the timeline, in which codex's own files tell less than the stream does.
function timelineRow(activity) {
  const symbols = { thinking: "think", running_command: "run", background_terminal: "run", file_edited: "file" };
  const counts = activity.additions === undefined ? "" : "+" + activity.additions + " −" + (activity.deletions ?? 0);
  const state = activity.state === "in_progress" ? "running" : counts;
  const command = activity.commandPreview;
  const file = activity.filePath ? " " + (activity.filePath.split("/").pop() || "") : "";
  const what = command ?? activity.title + file;
  const more = [activity.detail && make("p", {}, activity.detail), activity.filePath && make("p", {}, activity.filePath)];
  return activityRow({ symbol: symbols[activity.kind] ?? "note", what, isCode: Boolean(command), how: state, more });
}

/// A row for an item of codex's stream; undefined for what has nothing to show. Throws for one of another shape.
function itemRow(item, isOver) {
  const state = isOver ? STATES[item.status] ?? "" : "running";
  const isBad = state === "failed" || state === "declined";
  switch (item.type) {
    case "userMessage": return messageRow("user", textOf(item));
    case "agentMessage": return item.text || isOver ? messageRow("assistant", item.text ?? "", item.phase) : undefined;
    case "reasoning": {
      const summary = list(item.summary).filter((part) => typeof part === "string").join("\n\n");
      if (!summary) return undefined;
      const prose = make("div", { class: "prose" }, markdown.blocks(summary));
      return activityRow({ symbol: "think", what: isOver ? "Thought it through" : "Thinking", more: [prose] });
    }
    case "commandExecution": {
      const failed = isBad && typeof item.exitCode === "number" ? "exit " + item.exitCode : state;
      return activityRow({
        symbol: "run", what: shortCommand(item.command ?? ""), isCode: true, how: failed, isBad,
        more: [
          codeBlock(item.command ?? "", "Command", { wraps: true }),
          item.aggregatedOutput && codeBlock(item.aggregatedOutput, "Output"), item.cwd && make("p", {}, "in " + item.cwd),
        ],
      });
    }
    case "fileChange": {
      const changes = list(item.changes);
      const names = changes.map((change) => String(change.path).split("/").pop()).join(", ");
      const verb = isOver ? (isBad ? "Not edited: " : "Edited ") : "Editing ";
      return activityRow({
        symbol: "file", what: verb + (names || "files"), how: state, isBad,
        more: changes.map((change) => patch(change)),
      });
    }
    case "mcpToolCall":
      return activityRow({
        symbol: "tool", what: item.server + " · " + item.tool, how: state, isBad,
        more: [item.arguments !== undefined && codeBlock(JSON.stringify(item.arguments, null, 2), "Arguments", { wraps: true })],
      });
    case "webSearch": return activityRow({ symbol: "note", what: "Searched the web: " + (item.query ?? "") });
    case "contextCompaction": return noteRow("Codex has compacted the conversation.");
    default: return undefined;
  }
}

function textOf(item) {
  return list(item.content).map((part) => (part.type === "text" ? part.text : "[" + part.type + "]")).join("\n");
}

/// The lines of a diff, each with its sign's colour; the signs say it too.
function diffBlock(text, label, { marksOdd = false } = {}) {
  const block = make("pre", { class: "diff", tabindex: "0", role: "region", "aria-label": label });
  for (const line of text.replace(/\n$/, "").split("\n")) {
    // The companion's own headings.
    if (line.startsWith("## ")) {
      block.append(make("span", { class: "title" }, line.slice(3)));
      continue;
    }
    const kind = /^(\+\+\+|---|diff |index |new file|deleted file|similarity|rename)/.test(line) ? "file"
      : line.startsWith("@@") ? "hunk" : line.startsWith("+") ? "plus" : line.startsWith("-") ? "minus" : "";
    block.append(make("span", { class: kind }, marksOdd ? exact(line) : line));
  }
  return block;
}

/// One file of a patch: its change, and its lines.
function patch(change, options) {
  const kind = change.kind?.type ?? change.kind ?? "update";
  const verb = { add: "New file", delete: "Deleted", update: "Changed" }[kind] ?? kind;
  const title = make("p", {}, verb + ": ", exact(String(change.path ?? "")));
  if (change.kind?.move_path) title.append(" → ", exact(String(change.kind.move_path)));
  const sign = { add: "+", delete: "-" }[kind];
  // The text of a file that is new or deleted comes without signs.
  const lines = String(change.diff ?? "");
  const text = sign && !/^@@/m.test(lines) ? lines.replace(/\n$/, "").split("\n").map((line) => sign + line).join("\n") : lines;
  return make("div", {}, title, lines ? diffBlock(text, "Change of " + change.path, options) : "");
}

// MARK: The stream

const EVENTS = [
  "turn_started", "message_delta", "item_started", "item_completed", "turn_completed", "approval_required", "approval_cleared",
];

/// A chat's events, each once and in order. The browser comes back by itself, with `Last-Event-ID`, where the connection
/// broke; this begins anew behind the last event where it has given up, or seems to be stuck.
class ChatStream {
  constructor(chat, handlers) {
    this.chat = chat;
    this.handlers = handlers;
    this.cursor = null;
    this.attempts = 0;
    this.heardAt = Date.now();
    this.open();
    this.watch = setInterval(() => this.check(), 4000);
  }

  open() {
    clearTimeout(this.timer);
    this.source?.close();
    const source = new EventSource(this.address);
    let wasOpen = false;
    this.source = source;
    source.onopen = () => {
      wasOpen = true;
      this.attempts = 0;
      this.wasLive = true;
      this.heardAt = Date.now();
      this.handlers.live();
    };
    source.onerror = (event) => {
      // codex's own event of this name is a message; the browser's is none.
      if (event instanceof MessageEvent) return this.take("error", event);
      if (source !== this.source) return;
      this.handlers.lost();
      if (source.readyState === EventSource.CLOSED) this.learnWhy();
      // The browser lets some seconds pass; a stream that has just ended, with its session's token say, is there at once.
      else if (wasOpen && this.cursor !== null) this.timer = setTimeout(() => this.open(), 300);
      wasOpen = false;
    };
    for (const name of EVENTS) source.addEventListener(name, (event) => this.take(name, event));
  }

  get address() {
    const query = new URLSearchParams({ chatId: this.chat });
    if (this.cursor !== null) query.set("cursor", String(this.cursor));
    return "/v1/stream?" + query;
  }

  /// Begins behind the last event; where there was none yet, nobody knows what was missed.
  reopen() {
    if (this.isClosed) return;
    if (this.cursor === null && this.wasLive) this.handlers.stale();
    else this.open();
  }

  take(name, event) {
    if (event.currentTarget !== this.source) return;
    this.heardAt = Date.now();
    const number = event.lastEventId === "" ? null : Number(event.lastEventId);
    let frame;
    try { frame = members(JSON.parse(event.data)); } catch { return; }
    // The questions that wait come at each beginning, under the number of the event before.
    const isQuestion = name === "approval_required";
    if (number !== null && Number.isSafeInteger(number)) {
      if (this.cursor !== null && number <= this.cursor && !isQuestion) return;
      this.cursor = Math.max(number, this.cursor ?? 0);
    }
    this.handlers.event(name, members(frame.payload), Number(frame.timestamp) || 0);
  }

  /// An event source does not report the status, so the same is asked for once more.
  async learnWhy() {
    this.attempts += 1;
    try {
      await call("GET", this.address, undefined, 8, { isStream: true });
    } catch (failure) {
      if (this.isClosed) return;
      // 410: what came after the cursor is not kept any more.
      if (failure.status === 410) return this.handlers.stale();
      if (!failure.isPassing) return this.handlers.failed(failure);
    }
    this.timer = setTimeout(() => this.reopen(), Math.min(500 * 2 ** this.attempts, 8000) * (0.75 + Math.random() / 2));
  }

  /// A connection can die silently, in a tunnel above all; a small request finds out.
  async check() {
    if (this.isClosed || this.isChecking || document.hidden || Date.now() - this.heardAt < 10000 && this.isOpen) return;
    this.isChecking = true;
    try {
      await ask("GET", "/health", undefined, 5);
      this.heardAt = Date.now();
      if (this.isReconnecting) this.reopen();
    } catch {
      this.handlers.lost();
      if (this.isOpen) this.reopen();
    } finally {
      this.isChecking = false;
    }
  }

  get isOpen() { return this.source.readyState === EventSource.OPEN; }
  get isReconnecting() { return this.source.readyState === EventSource.CONNECTING && this.attempts === 0; }

  close() {
    this.isClosed = true;
    clearInterval(this.watch);
    clearTimeout(this.timer);
    this.source.close();
  }
}

// MARK: Messages on their way

/// What was written and not taken yet. It is kept across a reload; each message has an id by which it is taken once, however
/// often it is sent.
const outbox = {
  entries: list(storage.read("outbox", [])).filter((entry) => entry?.id && entry?.chat && typeof entry?.text === "string"),
  isSending: false,

  add(chat, text) {
    this.entries.push({ id: crypto.randomUUID(), chat, text });
    this.changed();
    this.send();
  },

  changed() {
    storage.write("outbox", this.entries);
    conversation.showOutbox();
  },

  async send() {
    clearTimeout(this.timer);
    if (this.isSending) return;
    this.isSending = true;
    try {
      for (let entry; (entry = this.entries.find((each) => !each.error));) {
        try {
          const receipt = await data("POST", chatPath(entry.chat, "/messages"), { text: entry.text, request_id: entry.id }, 30);
          entry.turn = receipt?.turnId;
          this.remove(entry);
          conversation.sent(entry);
        } catch (failure) {
          // It is sent once there is a session again.
          if (session.isOver) return;
          if (failure.isPassing) {
            this.timer = setTimeout(() => this.send(), 3000);
            return;
          }
          entry.error = failure.message;
          this.changed();
          announce("The message was not taken. " + failure.message, true);
        }
      }
    } finally {
      this.isSending = false;
    }
  },

  remove(entry) {
    this.entries = this.entries.filter((each) => each.id !== entry.id);
    this.changed();
  },

  /// Codex took these for a turn that ended before they were in it; nothing will come of them.
  dropped(entries) {
    if (entries.length === 0) return;
    for (const entry of entries) entry.error = "the turn ended before codex took it up.";
    this.entries.push(...entries);
    this.changed();
    announce("A message was not taken: the turn ended before codex took it up.", true);
  },

  /// The next id is another one: this message was refused, or dropped, so it has not been taken.
  again(entry) {
    this.remove(entry);
    this.add(entry.chat, entry.text);
  },
};

// MARK: The conversation

const conversation = {
  // Rows that are kept in the document.
  limit: 400,
  chat: null,
  stream: null,
  rows: new Map(),
  open: new Map(),
  sentRows: new Map(),
  isContinuing: false,
  reported: new Set(),
  ended: new Set(),
  outboxRows: [],
  isFollowing: true,
  isScrollDue: false,

  async show(chat) {
    this.close();
    const view = (this.view = {});
    Object.assign(this, { chat, isRunning: false, isDetached: false, older: null, held: [], outboxRows: [], isFollowing: true });
    this.rows.clear();
    this.open.clear();
    this.sentRows.clear();
    this.reported.clear();
    this.ended.clear();
    approvals.clear();
    find("log").replaceChildren();
    for (const id of ["earlier", "latest", "working", "jump", "empty"]) find(id).hidden = true;
    find("composer").hidden = !chat;
    find("open-session").disabled = !chat;
    composer.turnChanged();
    if (!chat) return;
    composer.restore(chat.id);
    this.rename(chat.title);
    storage.write("chat", chat.id);
    connection.set("connecting");
    // Before the history is read, so that nothing falls between.
    try {
      await call("POST", chatPath(chat.id, "/activate"), {});
    } catch (failure) {
      if (this.view !== view) return;
      if (!failure.isPassing) connection.set("failed", failure.message);
    }
    if (this.view !== view) return;
    this.stream = new ChatStream(chat.id, {
      live: () => { connection.set("live"); this.load(view); outbox.send(); },
      lost: () => connection.set("reconnecting"),
      failed: (failure) => connection.set("failed", failure.message),
      stale: () => this.show(chat),
      event: (...event) => (this.held ? this.held.push(event) : this.take(...event)),
    });
  },

  /// A chat is named by what was said in it first.
  rename(title) {
    if (!title) return;
    this.chat.title = title;
    find("title").textContent = title;
    document.title = title + " · Codex";
  },

  close() {
    this.view = null;
    this.stream?.close();
    this.stream = null;
  },

  /// What was before the stream, once.
  async load(view) {
    if (this.view !== view || !this.held || this.isLoading === view) return;
    this.isLoading = view;
    try {
      const [timeline, state] = await Promise.all([
        data("GET", chatPath(this.chat.id, "/timeline?limit=120")), data("GET", chatPath(this.chat.id, "/run-state")),
      ]);
      if (this.view !== view) return;
      const rows = this.timelineRows(timeline);
      for (const [key, row] of rows) this.put(key, row);
      this.older = timeline.olderCursor ?? null;
      this.setRunning(state.isRunning);
      const held = this.held;
      this.held = null;
      for (const event of held) this.take(...event, timeline);
      find("earlier").hidden = this.older === null;
      this.showEmpty();
      this.showOutbox();
      this.scrollToEnd();
    } catch (failure) {
      this.isLoading = null;
      if (this.view === view) {
        connection.set("failed", failure.message);
        if (failure.isPassing) setTimeout(() => this.load(view), 2000);
      }
    }
  },

  /// The messages in their order, and each activity where its time belongs.
  timelineRows(timeline) {
    const rows = [];
    const activities = [...list(timeline.activities)];
    for (const message of list(timeline.messages)) {
      const isLast = message.role === "assistant" && message.phase !== "commentary";
      const isBefore = ({ createdAt: time }) => time < message.createdAt || isLast && time === message.createdAt;
      while (activities.length > 0 && isBefore(activities[0])) {
        const activity = activities.shift();
        rows.push([activity.itemId, timelineRow(activity)]);
      }
      rows.push([message.id, messageRow(message.role, message.text, message.phase)]);
    }
    for (const activity of activities) rows.push([activity.itemId, timelineRow(activity)]);
    return rows;
  },

  /// - history: the timeline, where the event came before it, so that it may be in it.
  take(name, payload, timestamp, history) {
    // What a server or a model says may have any shape; one event that cannot be shown keeps back no other.
    try {
      this.apply(name, payload, timestamp, history);
    } catch {
      this.note("Codex reported something that this page cannot show.", true);
    }
  },

  apply(name, payload, timestamp, history) {
    const item = members(payload.item);
    switch (name) {
      case "turn_started":
        this.isContinuing = false;
        this.setRunning(true);
        break;
      case "turn_completed":
        // Where codex took up the last message as the turn ended another turn answers it.
        this.isContinuing = payload.continues === true;
        this.setRunning(this.isContinuing);
        this.open.clear();
        if (payload.turn?.id) this.dropMissed(payload.turn.id);
        if (payload.turn?.status === "failed" && payload.turn.error?.message) this.note(words(payload.turn.error.message), true);
        if (payload.turn?.status === "interrupted") this.note("The turn was stopped.");
        if (!this.isContinuing) announce("Codex is done.");
        sheet.changed();
        drawer.refresh();
        break;
      case "item_started":
      case "item_completed": {
        if (history && this.isReported(item, timestamp, history)) break;
        const isOver = name === "item_completed";
        // A text that was cut short is reported without its content.
        if (payload.interrupted && item.type === "agentMessage" && !item.text) item.text = this.open.get(item.id)?.said ?? "";
        if (item.type === "agentMessage") this.open.delete(item.id);
        if (item.type === "userMessage" && item.clientId) {
          this.reported.add(item.clientId);
          this.sentRows.delete(item.clientId);
        }
        const row = itemRow(item, isOver);
        if (row) this.put(item.id, row);
        if (payload.interrupted && item.type === "agentMessage") row?.classList.add("commentary");
        if (isOver && item.type === "agentMessage" && item.text) announce("Codex: " + item.text.slice(0, 600));
        this.showOutbox();
        break;
      }
      case "message_delta":
        if (!history || !this.isReported({ id: payload.itemId }, timestamp, history)) this.grow(payload);
        break;
      case "error":
        this.note(words(payload.error?.message, "Codex reported an error."), payload.willRetry !== true);
        if (this.isContinuing && payload.willRetry !== true) this.setRunning(this.isContinuing = false);
        break;
      case "approval_required":
        approvals.add(payload);
        break;
      case "approval_cleared":
        approvals.remove(list(payload.ids), payload.reason);
        break;
    }
  },

  /// Whether the timeline has this item: both know activities by their id, messages by what they say and when.
  isReported(item, timestamp, timeline) {
    if (list(timeline.activities).some((activity) => activity.itemId === item.id)) return true;
    const text = item.type === "userMessage" ? textOf(item) : item.type === "agentMessage" ? item.text : undefined;
    const role = item.type === "userMessage" ? "user" : "assistant";
    return text !== undefined && list(timeline.messages).some((message) =>
      message.role === role && message.text === text && Math.abs(message.createdAt - timestamp / 1000) < 5);
  },

  /// More of a text that is being written. One that began before this page came has lost its beginning until it is whole.
  grow(payload) {
    let text = this.open.get(payload.itemId);
    if (!text) {
      if (this.isDetached) return;
      const prose = make("div", { class: "prose" });
      this.put(payload.itemId, make("li", { class: "agent" }, make("span", { class: "unseen" }, "Codex: "), prose));
      text = { prose, said: "", isDue: false };
      this.open.set(payload.itemId, text);
    }
    text.said += payload.delta ?? "";
    if (text.isDue) return;
    text.isDue = true;
    // What is long is drawn less often.
    setTimeout(() => {
      text.isDue = false;
      if (text.prose.isConnected) this.keepingEnd(() => text.prose.replaceChildren(proseOf(text.said)));
    }, Math.min(40 + text.said.length / 100, 400));
  },

  put(key, row) {
    this.keepingEnd(() => {
      const before = this.rows.get(key);
      if (before) {
        const isUnfolded = before.querySelector("details")?.open;
        if (isUnfolded && row.querySelector("details")) row.querySelector("details").open = true;
        before.replaceWith(row);
      } else if (this.isDetached) {
        return;
      } else {
        // What is on its way stays last.
        find("log").insertBefore(row, this.outboxRows[0] ?? null);
      }
      row.dataset.key = key;
      this.rows.set(key, row);
      this.trim();
      this.showEmpty();
    });
  },

  note(text, isError = false) {
    if (isError) announce(text, true);
    this.put("note:" + crypto.randomUUID(), noteRow(text, isError));
  },

  /// A long chat has its newest rows in the document, unless somebody looks at older ones.
  trim() {
    const log = find("log");
    while (log.children.length > this.limit) {
      const row = this.isDetached ? log.lastElementChild : log.firstElementChild;
      this.rows.delete(row.dataset.key);
      row.remove();
      if (this.isDetached) find("latest").hidden = false;
      else this.forgetOlder();
    }
  },

  /// Rows that came by the stream have no place in the history that could be asked for: it is read anew.
  forgetOlder() {
    this.older = undefined;
    find("earlier").hidden = false;
  },

  async showEarlier() {
    if (this.older === undefined) return this.show(this.chat);
    const view = this.view;
    const button = find("earlier");
    button.disabled = true;
    try {
      const timeline = await data("GET", chatPath(this.chat.id, "/timeline?limit=120&before=" + this.older));
      if (this.view !== view) return;
      const rows = this.timelineRows(timeline).filter(([key]) => !this.rows.has(key));
      const area = find("conversation");
      const fromEnd = area.scrollHeight - area.scrollTop;
      for (const [key, row] of rows) {
        row.dataset.key = key;
        this.rows.set(key, row);
      }
      find("log").prepend(...rows.map(([, row]) => row));
      area.scrollTop = area.scrollHeight - fromEnd;
      if (find("log").children.length > this.limit) {
        this.isDetached = true;
        this.trim();
      }
      this.older = timeline.olderCursor ?? null;
      button.hidden = this.older === null;
      announce(rows.length + " earlier entries are shown.");
    } catch (failure) {
      announce(failure.message, true);
    } finally {
      button.disabled = false;
    }
  },

  setRunning(isRunning) {
    this.isRunning = isRunning;
    this.keepingEnd(() => { find("working").hidden = !isRunning || approvals.waiting.length > 0; });
    composer.turnChanged();
  },

  showEmpty() {
    const isEmpty = Boolean(this.chat) && !this.held && find("log").children.length === 0;
    find("empty").hidden = !isEmpty;
    if (isEmpty) {
      const place = this.chat.folder ?? "this project";
      find("empty").replaceChildren(make("h2", {}, "A new chat"), make("p", {}, "Codex works in " + place + "."));
    }
  },

  /// The stream may have reported a message before its receipt arrives.
  sent(entry) {
    if (this.chat?.id !== entry.chat || this.reported.has(entry.id)) return;
    this.sentRows.set(entry.id, entry);
    this.dropMissed();
    this.showOutbox();
  },

  /// What is not told of by its turn's end never is: the stream has no gaps.
  ///
  /// - ended: a turn that has ended just now.
  dropMissed(ended) {
    if (ended) this.ended.add(ended);
    if (this.ended.size > 64) this.ended.delete(this.ended.values().next().value);
    const missed = [...this.sentRows.values()].filter((entry) => this.ended.has(entry.turn));
    for (const entry of missed) this.sentRows.delete(entry.id);
    outbox.dropped(missed);
  },

  /// Messages that codex has not told of yet, behind all others.
  showOutbox() {
    if (!this.chat || this.held) return;
    const waiting = outbox.entries.filter((entry) => entry.chat === this.chat.id && !this.reported.has(entry.id));
    if (this.outboxRows.length + this.sentRows.size + waiting.length === 0) return;
    this.keepingEnd(() => {
      for (const row of this.outboxRows) row.remove();
      this.outboxRows = [];
      if (this.isDetached) return;
      const state = connection.isLive ? "Sending" : "Waits for the connection";
      this.outboxRows = [
        ...[...this.sentRows.values()].map((entry) => this.outboxRow(entry, "Sent")),
        ...waiting.map((entry) => this.outboxRow(entry, entry.error ? "Not taken: " + entry.error : state)),
      ];
      find("log").append(...this.outboxRows);
      this.showEmpty();
    });
  },

  outboxRow(entry, state) {
    const row = messageRow("user", entry.text);
    row.dataset.outbox = entry.id;
    row.classList.add(entry.error ? "failed" : "waiting");
    row.append(make("p", { class: "state" }, state));
    if (entry.error) {
      const edit = () => {
        outbox.remove(entry);
        composer.putBack(entry.text);
      };
      row.append(make("div", { class: "choices" }, action("Edit", edit, "quiet"),
        action("Send again", () => outbox.again(entry), "quiet")));
    }
    return row;
  },

  get isAtEnd() {
    const area = find("conversation");
    return area.scrollHeight - area.scrollTop - area.clientHeight < 90;
  },

  /// Follows what is written, unless somebody reads further up. The layout is asked once a frame, not with each change:
  /// thousands come at once after an outage.
  keepingEnd(change) {
    change();
    if (this.isFollowing) this.scrollToEnd();
    else find("jump").hidden = false;
  },

  scrollToEnd() {
    this.isFollowing = true;
    if (this.isScrollDue) return;
    this.isScrollDue = true;
    const scroll = () => {
      if (!this.isScrollDue) return;
      this.isScrollDue = false;
      if (!this.isFollowing) return;
      const area = find("conversation");
      area.scrollTop = area.scrollHeight;
      find("jump").hidden = true;
    };
    requestAnimationFrame(scroll);
    // A page that is not shown has no frames.
    setTimeout(scroll, 100);
  },

  /// Somebody moves up by wheel, finger or key.
  leaveEnd() {
    if (find("conversation").scrollTop > 0) this.isFollowing = false;
  },

  scrolled() {
    if (this.isAtEnd) this.isFollowing = true;
    // While rows come and go, the place changes by itself.
    else if (!this.isScrollDue) this.isFollowing = false;
    find("jump").hidden = this.isFollowing;
  },
};

// MARK: The connection, as a person sees it

const connection = {
  state: "connecting",
  get isLive() { return this.state === "live"; },

  set(state, message) {
    const was = this.state;
    this.state = state;
    clearTimeout(this.timer);
    const show = (text, isError = false) => {
      const bar = find("status");
      bar.classList.toggle("error", isError);
      if (bar.textContent !== text) bar.textContent = text;
      bar.hidden = text === "";
    };
    switch (state) {
      case "live": show(""); break;
      case "failed": show(message, true); break;
      // What is over within a second needs no word.
      case "connecting": this.timer = setTimeout(() => show("Connecting…"), 1000); break;
      case "reconnecting": {
        const text = navigator.onLine ? "Reconnecting. What you write is kept." : "Offline. What you write is kept.";
        if (!find("status").hidden) show(text);
        else this.timer = setTimeout(() => show(text), 800);
        break;
      }
    }
    if (was !== state) conversation.showOutbox();
  },
};

// MARK: Approvals

const approvals = {
  waiting: [],

  clear() {
    this.waiting = [];
    this.draw();
  },

  add(question) {
    if (typeof question.id !== "string" || this.waiting.some((each) => each.id === question.id)) return;
    this.waiting.push(question);
    this.draw();
    announce("Codex asks: " + this.title(question) + " " + words(question.summary), true);
  },

  remove(ids, reason) {
    const gone = this.waiting.filter((each) => ids.includes(each.id));
    if (gone.length === 0) return;
    this.waiting = this.waiting.filter((each) => !ids.includes(each.id));
    this.draw();
    if (gone.some((each) => !each.isAnswered)) conversation.note("A question is closed. " + words(reason));
  },

  title(question) {
    switch (question.form) {
      case "command": return "Run this command?";
      case "fileChange": return "Write these changes?";
      case "permissions": return "Give these permissions?";
      case "toolCall": return "Call this tool?";
      default: return words(question.serverName, "A server") + " asks";
    }
  },

  draw() {
    const card = find("approval");
    const question = this.waiting[0];
    const hadFocus = card.contains(document.activeElement);
    if (question && card.dataset.id === question.id) return this.count(card);
    card.hidden = !question;
    card.replaceChildren();
    card.dataset.id = question?.id ?? "";
    conversation.setRunning(conversation.isRunning);
    if (!question) {
      if (hadFocus) find("text").focus();
      return;
    }
    card.append(...this.safeParts(question));
    this.count(card);
    // A finger that meant the question before must not answer this one.
    const buttons = [...card.querySelectorAll("button")];
    for (const button of buttons) button.disabled = true;
    setTimeout(() => { for (const button of buttons) button.disabled = false; }, 700);
    for (const block of card.querySelectorAll("pre")) {
      if (block.scrollHeight > block.clientHeight + 4) block.after(hint("There is more: scroll to read all of it.", "where"));
    }
    if (hadFocus || document.activeElement === document.body) card.querySelector("h2").focus();
    conversation.scrollToEnd();
  },

  count(card) {
    card.querySelector(".count").textContent = this.waiting.length > 1 ? "1 of " + this.waiting.length : "";
  },

  /// A question that cannot be shown can be declined.
  safeParts(question) {
    try {
      return this.parts(question);
    } catch {
      return [
        this.head(question), hint("This question cannot be shown here. Decline it, or answer it with another program.", "fault"),
        make("div", { class: "pair" }, action("Decline", () => this.decide(question, "decline"), "danger")),
        make("p", { class: "fault", role: "alert" }),
      ];
    }
  },

  head(question) {
    return make("div", { class: "head" }, icon("shield"),
      make("h2", { id: "approval-title", tabindex: "-1" }, this.title(question)), make("span", { class: "count" }));
  },

  parts(question) {
    const details = members(question.details);
    const parts = [this.head(question)];
    if (typeof details.reason === "string") parts.push(make("p", { class: "why" }, "Its reason: ", exact(details.reason)));
    switch (question.form) {
      case "command":
        parts.push(codeBlock(String(details.command ?? question.summary), "The exact command", { wraps: true, marksOdd: true }));
        if (details.cwd) parts.push(make("p", { class: "where" }, "in ", exact(String(details.cwd))));
        if (details.networkApprovalContext) parts.push(this.json(details.networkApprovalContext, "Network access"));
        break;
      case "fileChange":
        for (const change of list(details.changes)) parts.push(patch(change, { marksOdd: true }));
        if (list(details.changes).length === 0) {
          parts.push(hint("Codex has not said what changes. Decline it, unless you know.", "fault"));
        }
        if (details.grantRoot) parts.push(hint(exact("and write access to " + details.grantRoot), "where"));
        break;
      case "toolCall":
        parts.push(make("p", { class: "where" }, exact((question.serverName ?? "?") + " · " + (question.toolName ?? "?"))));
        if (details.description) parts.push(hint(exact("The server says of it: " + details.description), "why"));
        parts.push(this.json(details.arguments ?? {}, "Arguments"));
        break;
      case "permissions":
        parts.push(this.json(details.permissions ?? {}, "Permissions"));
        break;
      default:
        parts.push(make("p", {}, exact(String(details.message ?? question.summary))));
        if (details.url) parts.push(make("p", { class: "where" }, exact(String(details.url))));
    }
    const form = question.form === "elicitation" ? serverForm(details) : { fields: [] };
    parts.push(...form.fields.map((field) => field.element));
    if (form.unknown) parts.push(hint(form.unknown, "fault"), this.json(details.requestedSchema ?? {}, "What it asks for"));
    parts.push(make("p", { class: "means" }, words(question.consequence)));
    const decide = (decision) => this.decide(question, decision, form.fields);
    const yes = form.fields.length > 0 ? "Send" : question.form === "elicitation" ? "Accept" : "Allow once";
    parts.push(make("div", { class: "pair" }, action("Decline", () => decide("decline"), "danger"),
      !form.unknown && action(yes, () => decide("approve"), "primary")));
    if (question.supportsCancel === true) {
      parts.push(this.wide("Cancel", "Neither yes nor no. The server may ask again.", () => decide("cancel")));
    }
    if (question.supportsSessionAllow) {
      parts.push(this.wide("Allow in this chat", this.sessionMeaning(question), () => decide("allow_for_session")));
    }
    if (question.supportsAlwaysAllow) {
      parts.push(this.wide("Always allow",
        "This tool, as its server defines it now, in every chat, until it is taken back at the workstation.",
        () => decide("allow_always")));
    }
    parts.push(make("p", { class: "fault", role: "alert" }));
    return parts;
  },

  sessionMeaning(question) {
    switch (question.form) {
      case "command": return "This very command, in this folder, is not asked about again here.";
      case "fileChange": return "Changes of these files are not asked about again here.";
      default: return "This tool, as its server defines it now, is not asked about again here.";
    }
  },

  wide(title, meaning, click) {
    return make("button", { type: "button", class: "wide", click }, title, make("small", {}, meaning));
  },

  json(value, label) {
    return codeBlock(JSON.stringify(value, null, 2), label, { wraps: true, marksOdd: true });
  },

  async decide(question, decision, fields = []) {
    const card = find("approval");
    const fault = card.querySelector(".fault[role]");
    const body = { decision };
    if (decision === "approve" && fields.length > 0) {
      const wrong = fields.find((field) => field.fault() !== "");
      if (wrong) {
        fault.textContent = "'" + wrong.title + "': " + wrong.fault();
        return;
      }
      const answers = fields.map((field) => [field.name, field.value()]).filter(([, value]) => value !== undefined);
      body.content = Object.fromEntries(answers);
    }
    const buttons = [...card.querySelectorAll("button")];
    for (const button of buttons) button.disabled = true;
    fault.textContent = "";
    question.isAnswered = true;
    try {
      await call("POST", "/v1/approvals/" + encodeURIComponent(question.id), body);
      this.remove([question.id]);
      announce({ decline: "Declined.", cancel: "Cancelled." }[decision] ?? "Allowed.");
    } catch (failure) {
      if (failure.status === 404 || failure.status === 409) {
        // An answer whose receipt was lost is refused the second time, as is one that came after another device's.
        this.remove([question.id]);
        conversation.note(failure.message);
        return;
      }
      question.isAnswered = false;
      fault.textContent = failure.message + (failure.isPassing ? " Nothing is decided that you know of; try again." : "");
      for (const button of buttons) button.disabled = false;
    }
  },
};

// MARK: Forms

// As many as the companion's other clients show.
const FORM_LIMITS = { fields: 50, choices: 500 };

/// The form of an MCP server's own question: `fields`, or what is `unknown` about it, so that nobody fills in a part of one.
function serverForm(details) {
  const mode = details.mode ?? "form";
  if (mode === "url") return { fields: [] };
  if (mode !== "form") return { fields: [], unknown: "The server asks in a way that is not known here." };
  const schema = members(details.requestedSchema);
  const properties = new Map(Object.entries(members(schema.properties)));
  const required = [...new Set(list(schema.required))];
  if (properties.size > FORM_LIMITS.fields) return { fields: [], unknown: "The form has more fields than are shown here." };
  const fields = [];
  for (const name of [...required, ...[...properties.keys()].filter((each) => !required.includes(each))]) {
    const field = formField(String(name), members(properties.get(name)), required.includes(name));
    if (!field) return { fields: [], unknown: "The form has a field of a kind that is not known here." };
    fields.push(field);
  }
  return { fields };
}

/// The choices of a schema as pairs of value and title; undefined where there are none, or other values than texts.
function formChoices(schema) {
  const names = list(schema.enumNames);
  const pairs = (schema.oneOf ?? schema.anyOf) !== undefined
    ? list(schema.oneOf ?? schema.anyOf).map((each) => [members(each).const, members(each).title])
    : list(schema.enum).map((each, index) => [each, names[index]]);
  if (pairs.length === 0 || pairs.length > FORM_LIMITS.choices || pairs.some(([value]) => typeof value !== "string")) {
    return undefined;
  }
  return pairs.map(([value, title]) => [value, typeof title === "string" ? title : value]);
}

/// A field with its element, its answer (`value`) and what is wrong with that (`fault`); undefined for an unknown kind.
function formField(name, schema, isRequired) {
  const id = "field-" + crypto.randomUUID();
  const title = typeof schema.title === "string" ? schema.title : name;
  const label = make("span", {}, exact(title + (isRequired ? "" : " (optional)")));
  const about = typeof schema.description === "string" && hint(exact(schema.description), "why");
  const wrapped = (control) => make("div", {}, make("label", { for: id }, label), about, control);
  const choices = formChoices(schema);
  if (schema.type === "array") {
    const items = formChoices(members(schema.items));
    return items && choicesField({ name, title, label, about, items, schema, isRequired });
  }
  if (choices || schema.type === "boolean") {
    const pairs = choices ?? [["true", "Yes"], ["false", "No"]];
    const control = make("select", { id, required: isRequired },
      ...[["", "–"], ...pairs].map(([value, words]) => make("option", { value }, exact(words))));
    // What is chosen is its place: a value may be the empty text.
    const proposed = pairs.findIndex(([value]) => value === (choices ? schema.default : String(schema.default)));
    control.selectedIndex = proposed + 1;
    const chosen = () => (control.selectedIndex > 0 ? pairs[control.selectedIndex - 1][0] : undefined);
    return {
      name, title, element: wrapped(control),
      value: () => (choices || chosen() === undefined ? chosen() : chosen() === "true"),
      fault: () => (isRequired && chosen() === undefined ? "choose one." : ""),
    };
  }
  const limits = (...names) => Object.fromEntries(names.map(([attribute, member]) =>
    [attribute, Number.isFinite(schema[member]) ? String(schema[member]) : undefined]));
  if (schema.type === "number" || schema.type === "integer") {
    const control = make("input", { id, type: "number", required: isRequired, autocomplete: "off",
      step: schema.type === "integer" ? "1" : "any", ...limits(["min", "minimum"], ["max", "maximum"]) });
    if (Number.isFinite(schema.default)) control.value = String(schema.default);
    return { name, title, element: wrapped(control), fault: () => control.validationMessage,
      value: () => (control.value === "" ? undefined : Number(control.value)) };
  }
  const isText = schema.type === "string" && schema.enum === undefined && schema.oneOf === undefined && schema.anyOf === undefined;
  if (!isText) return undefined;
  const type = { email: "email", uri: "url", date: "date", "date-time": "datetime-local" }[schema.format] ?? "text";
  const control = make("input", { id, type, required: isRequired, autocomplete: "off", step: type === "datetime-local" && "1",
    ...limits(["minlength", "minLength"], ["maxlength", "maxLength"]) });
  if (typeof schema.default === "string" && type !== "datetime-local") control.value = schema.default;
  return { name, title, element: wrapped(control), fault: () => control.validationMessage,
    value: () => {
      if (control.value === "") return undefined;
      return type === "datetime-local" ? new Date(control.value).toISOString() : control.value;
    } };
}

/// Several of some choices.
function choicesField({ name, title, label, about, items, schema, isRequired }) {
  const proposed = list(schema.default);
  const boxes = items.map(([value, words]) => {
    const box = make("input", { type: "checkbox" });
    box.checked = proposed.includes(value);
    return { value, box, element: make("label", { class: "check" }, box, make("span", {}, exact(words))) };
  });
  const chosen = () => boxes.filter(({ box }) => box.checked).map(({ value }) => value);
  const least = Number.isFinite(schema.minItems) ? schema.minItems : 0;
  const most = Number.isFinite(schema.maxItems) ? schema.maxItems : items.length;
  return {
    name, title, value: () => (chosen().length > 0 || isRequired ? chosen() : undefined),
    element: make("fieldset", {}, make("legend", {}, label), about, ...boxes.map(({ element }) => element)),
    fault: () => {
      const count = chosen().length;
      if (count === 0 && !isRequired) return "";
      return count < least || count > most ? "choose " + least + " to " + most + "." : "";
    },
  };
}

// MARK: The composer

const composer = {
  isTouch: matchMedia("(pointer: coarse)").matches,

  restore(chat) {
    find("text").value = storage.read("drafts", {})[chat] ?? "";
    this.fit();
  },

  keep() {
    if (!conversation.chat) return;
    const drafts = storage.read("drafts", {});
    const text = find("text").value;
    if (text) drafts[conversation.chat.id] = text;
    else delete drafts[conversation.chat.id];
    storage.write("drafts", drafts);
  },

  fit() {
    const field = find("text");
    field.style.height = "auto";
    field.style.height = field.scrollHeight + "px";
    find("send").disabled = field.value.trim() === "";
  },

  putBack(text) {
    const field = find("text");
    field.value = field.value ? text + "\n" + field.value : text;
    this.keep();
    this.fit();
    field.focus();
  },

  /// Adds to what is written for a chat, which may not be the one that is shown any more.
  append(text, chat) {
    const join = (before) => (before ? before.trimEnd() + " " + text : text);
    if (conversation.chat?.id !== chat) {
      const drafts = storage.read("drafts", {});
      storage.write("drafts", { ...drafts, [chat]: join(drafts[chat]) });
      return;
    }
    const field = find("text");
    field.value = join(field.value);
    this.keep();
    this.fit();
    field.focus();
  },

  turnChanged() {
    find("stop").hidden = !conversation.isRunning;
    find("send").setAttribute("aria-label", conversation.isRunning ? "Send to the running turn" : "Send");
    find("text").placeholder = conversation.isRunning ? "Steer Codex" : "Message Codex";
  },

  submit(event) {
    event?.preventDefault();
    const field = find("text");
    const text = field.value.trim();
    if (!text || !conversation.chat) return;
    dictation.stop();
    field.value = "";
    this.keep();
    this.fit();
    outbox.add(conversation.chat.id, text);
    conversation.scrollToEnd();
    field.focus();
  },

  async stop() {
    const button = find("stop");
    button.disabled = true;
    try {
      const answer = await data("POST", chatPath(conversation.chat.id, "/stop"), {});
      if (!answer.interrupted) conversation.setRunning(false);
      announce("The turn is being stopped.");
    } catch (failure) {
      conversation.note("The turn was not stopped: " + failure.message, true);
    } finally {
      button.disabled = false;
    }
  },

  key(event) {
    if (event.key !== "Enter" || event.isComposing) return;
    // On a phone Enter makes a line; on a keyboard it sends, and makes a line with Shift.
    if (event.ctrlKey || event.metaKey || !this.isTouch && !event.shiftKey) this.submit(event);
  },
};

/// Speech to text by the browser itself, which may send the sound to its maker: that is said before the first time. Where it
/// has none, the sound is recorded here and written down by the companion, if that can.
const dictation = {
  Recognition: window.SpeechRecognition ?? window.webkitSpeechRecognition,
  // As much as a companion takes.
  recordingLimit: 7 << 20,

  get canRecord() {
    return Boolean(session.transcribes && window.MediaRecorder && navigator.mediaDevices?.getUserMedia);
  },

  prepare() { find("dictate").hidden = !this.Recognition && !this.canRecord; },

  toggle() {
    if (this.running) return this.stop();
    if (!this.Recognition) return this.record();
    if (storage.read("dictation", false)) return this.begin();
    const card = find("speech");
    const answer = (isYes) => {
      card.hidden = true;
      if (!isYes) return find("text").focus();
      storage.write("dictation", true);
      this.begin();
    };
    card.replaceChildren(
      make("p", {}, "Your browser turns speech into text, and may send the sound to its maker for that. "
        + "The companion gets the text alone, once you send it."),
      make("div", { class: "pair" }, action("Start dictation", () => answer(true), "primary"),
        action("Not now", () => answer(false))));
    card.hidden = false;
    card.querySelector("button").focus();
  },

  begin() {
    const recognition = new this.Recognition();
    const field = find("text");
    const before = field.value ? field.value.trimEnd() + " " : "";
    Object.assign(recognition, { lang: navigator.language, continuous: true, interimResults: true });
    recognition.onresult = (event) => {
      field.value = before + [...event.results].map((result) => result[0].transcript).join("");
      composer.keep();
      composer.fit();
    };
    recognition.onerror = (event) => {
      const sentences = {
        "not-allowed": "The browser may not use the microphone.", network: "The browser's speech service cannot be reached.",
        "no-speech": "Nothing was heard.", "audio-capture": "There is no microphone.",
      };
      if (event.error !== "aborted") conversation.note("Dictation has ended. " + (sentences[event.error] ?? event.error));
    };
    recognition.onend = () => this.ended();
    this.began(recognition);
    try { recognition.start(); } catch { this.ended(); }
  },

  /// Records until it is told to stop, or there is as much as is taken.
  async record() {
    const chat = conversation.chat.id;
    const button = find("dictate");
    button.disabled = true;
    let sound;
    try {
      sound = await navigator.mediaDevices.getUserMedia({ audio: true });
    } catch (fault) {
      const why = fault.name === "NotAllowedError" ? "The browser may not use the microphone." : "There is no microphone.";
      return conversation.note("Dictation has not begun. " + why);
    } finally {
      button.disabled = false;
    }
    const recorder = new MediaRecorder(sound);
    const parts = [];
    let size = 0;
    recorder.ondataavailable = (event) => {
      parts.push(event.data);
      size += event.data.size;
      if (size > this.recordingLimit && recorder.state === "recording") recorder.stop();
    };
    recorder.onstop = () => {
      for (const track of sound.getTracks()) track.stop();
      this.ended();
      this.transcribe(new Blob(parts, { type: recorder.mimeType }), chat);
    };
    this.began(recorder);
    // In pieces, so that the limit is seen.
    recorder.start(1000);
  },

  /// Puts what was said behind what is written.
  async transcribe(sound, chat) {
    const button = find("dictate");
    button.disabled = true;
    announce("What was said is being written down.");
    try {
      const address = await new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.onerror = () => reject(new Failure("The recording cannot be read."));
        reader.readAsDataURL(sound);
      });
      const audioBase64 = address.slice(address.indexOf(",") + 1);
      const body = { audioBase64, filename: "dictation", mimeType: sound.type || "audio/webm", language: navigator.language };
      composer.append(words((await data("POST", "/v1/dictation/transcribe", body, 120)).text).trim(), chat);
    } catch (failure) {
      conversation.note("What was said is not written down. " + failure.message, true);
    } finally {
      button.disabled = false;
    }
  },

  stop() { this.running?.stop(); },

  began(running) {
    this.running = running;
    find("dictate").setAttribute("aria-pressed", "true");
    announce("Dictation is on.");
  },

  ended() {
    this.running = null;
    find("dictate").setAttribute("aria-pressed", "false");
  },
};

// MARK: The drawer

const drawer = {
  chats: [],
  projects: [],
  shown: new Set(),
  wide: matchMedia("(min-width: 900px)"),

  /// Beside the conversation where there is room, before it otherwise.
  place() {
    const dialog = find("drawer");
    if (dialog.open) dialog.close();
    if (this.wide.matches) dialog.show();
    if (document.activeElement && dialog.contains(document.activeElement)) document.activeElement.blur();
  },

  open() {
    find("drawer").showModal();
    this.refresh();
  },

  close() { if (!this.wide.matches) find("drawer").close(); },

  async refresh() {
    try {
      [this.projects, this.chats] = await Promise.all([data("GET", "/v1/projects"), data("GET", "/v1/chats")]);
      this.addBegun();
      conversation.rename(this.chats.find((chat) => chat.id === conversation.chat?.id)?.title);
      this.draw();
    } catch (failure) {
      if (this.projects.length === 0) find("projects").replaceChildren(make("p", { class: "empty" }, failure.message));
    }
  },

  /// Codex lists a chat from its first message on; one that was begun here is shown before, for an hour.
  addBegun() {
    const { chat, at = 0 } = storage.read("begun", null) ?? {};
    if (!chat?.id || Date.now() - at > 3600 * 1000 || this.chats.some((each) => each.id === chat.id)) return;
    if (this.projects.some((each) => each.id === chat.projectId)) this.chats.unshift(chat);
  },

  draw() {
    // What is the same stays: nothing moves away under a finger.
    const state = JSON.stringify([this.projects, this.chats, conversation.chat?.id, [...this.shown]]);
    if (state === this.drawn) return;
    this.drawn = state;
    const focused = document.activeElement?.dataset?.chat;
    find("projects").replaceChildren(...this.projects.map((project) => this.section(project)));
    if (this.projects.length === 0) {
      find("projects").append(
        hint("There is no project yet. Name one at the workstation: companion serve --project.", "empty"));
    }
    if (focused) find("projects").querySelector('[data-chat="' + CSS.escape(focused) + '"]')?.focus();
  },

  section(project) {
    const chats = this.chats.filter((chat) => chat.projectId === project.id);
    const isAll = this.shown.has(project.id);
    const few = isAll ? chats.slice(0, 200) : chats.slice(0, 6);
    const rest = chats.length - few.length;
    return make("section", { class: "project", "aria-label": project.title },
      make("header", {},
        make("div", {}, make("h3", {}, project.title), make("p", { title: project.cwd }, "\u200e" + project.cwd)),
        action(icon("plus"), (event) => this.begin(project, event.currentTarget), "icon",
          { "aria-label": "New chat in " + project.title })),
      make("ul", {}, ...few.map((chat) => make("li", {}, this.link(chat)))),
      !isAll && rest > 0 && action("Show " + rest + " more", () => this.showAll(project), "quiet"));
  },

  showAll(project) {
    this.shown.add(project.id);
    this.draw();
  },

  link(chat) {
    const moment = new Date(chat.updatedAt * 1000);
    return make("a", {
      class: "chat", href: "#chat/" + encodeURIComponent(chat.id), "data-chat": chat.id,
      "aria-current": conversation.chat?.id === chat.id && "page", click: () => this.close(),
    }, make("span", { class: "name" }, chat.title),
    chat.updatedAt > 0 && make("time", { datetime: moment.toISOString() }, this.age(moment)));
  },

  age(moment) {
    const minutes = Math.max(0, Math.round((Date.now() - moment) / 60000));
    if (minutes < 1) return "now";
    if (minutes < 60) return minutes + " min";
    if (minutes < 24 * 60) return Math.round(minutes / 60) + " h";
    if (minutes < 7 * 24 * 60) return Math.round(minutes / 1440) + " d";
    return moment.toLocaleDateString(undefined, { day: "numeric", month: "short" });
  },

  async begin(project, button) {
    button.disabled = true;
    try {
      const chat = await data("POST", "/v1/chats", { cwd: project.cwd });
      storage.write("begun", { chat, at: Date.now() });
      this.addBegun();
      this.close();
      location.hash = "chat/" + encodeURIComponent(chat.id);
    } catch (failure) {
      announce(failure.message, true);
      connection.set("failed", failure.message);
      this.close();
    } finally {
      button.disabled = false;
    }
  },
};

// MARK: The session sheet

const sheet = {
  get dialog() { return find("session"); },

  open() {
    this.dialog.showModal();
    find("session-body").replaceChildren(make("p", { class: "hint" }, "Loading…"));
    this.load();
  },

  /// A turn has ended, which may have changed files.
  changed() { if (this.dialog.open && !this.path) this.load(); },

  async load() {
    const project = conversation.chat.projectId;
    this.path = null;
    find("session-title").textContent = "Session";
    find("session-back").hidden = true;
    try {
      const [context, model] = await Promise.all([
        data("GET", projectPath(project, "/context")), data("GET", chatPath(conversation.chat.id, "/model")),
      ]);
      const branches = context.git.isRepository ? await data("GET", projectPath(project, "/git/branches")) : [];
      this.draw({ ...context, chatModel: model }, branches);
    } catch (failure) {
      find("session-body").replaceChildren(make("p", { class: "note error", role: "alert" }, failure.message));
    }
  },

  draw(context, branches) {
    const git = context.git;
    const parts = [this.settings(context)];
    if (git.isRepository) parts.push(this.branch(git, branches), this.changes(git), this.commit(git));
    else parts.push(this.part("Changes", "note", make("p", { class: "hint" }, "This project is no git repository.")));
    parts.push(this.device());
    find("session-body").replaceChildren(...parts);
  },

  part(title, symbol, ...children) {
    return make("section", { class: "part" }, make("h3", {}, icon(symbol), title), ...children);
  },

  settings(context) {
    const texts = {
      "on-request": "Ask beyond the sandbox", never: "Never ask",
      "read-only": "Read only", "workspace-write": "Write in the project", "danger-full-access": "No sandbox",
    };
    const choice = (id, label, values, current) => {
      const all = current && !values.includes(current) ? [current, ...values] : values;
      return make("div", {}, make("label", { for: id }, label), make("select", { id, change: () => review() },
        !current && make("option", { value: "" }, "Codex's own default"),
        ...all.map((value) => make("option", { value, selected: value === current }, texts[value] ?? value))));
    };
    const policy = choice("policy", "Approvals", ["on-request", "never"], context.approvalPolicy);
    const sandbox = choice("sandbox", "Sandbox", ["read-only", "workspace-write", "danger-full-access"], context.sandboxMode);
    const warning = make("p", { class: "warning", hidden: true });
    const result = make("p", { class: "result", role: "status" });
    const apply = make("button", { type: "button", hidden: true, click: () => this.apply(context, apply, result) }, "Apply");
    const review = () => {
      const [chosenPolicy, chosenSandbox] = [find("policy").value, find("sandbox").value];
      apply.hidden = chosenPolicy === (context.approvalPolicy ?? "") && chosenSandbox === (context.sandboxMode ?? "");
      const warnings = [];
      if (chosenSandbox === "danger-full-access") {
        warnings.push("Without a sandbox, every command has all that this user may do.");
      }
      if (chosenPolicy === "never") warnings.push("Codex will not ask: what the sandbox forbids fails, what it permits runs.");
      warning.textContent = warnings.join(" ");
      warning.hidden = warnings.length === 0;
      result.textContent = "";
    };
    const model = [context.chatModel.model, context.chatModel.modelReasoningEffort].filter(Boolean).join(", ");
    return this.part("Settings", "session", policy, sandbox, warning, apply, result,
      hint("They hold for every chat of this machine's Codex, from its next turn." + (model ? " This chat's model: " + model + "." : "")));
  },

  async apply(context, button, result) {
    button.disabled = true;
    result.classList.remove("bad");
    const change = {};
    if (find("policy").value !== (context.approvalPolicy ?? "")) change.approvalPolicy = find("policy").value;
    if (find("sandbox").value !== (context.sandboxMode ?? "")) change.sandboxMode = find("sandbox").value;
    try {
      const config = await data("PATCH", "/v1/runtime/config", change);
      Object.assign(context, { approvalPolicy: config.approvalPolicy, sandboxMode: config.sandboxMode });
      button.hidden = true;
      result.textContent = config.note ?? "Changed.";
    } catch (failure) {
      result.classList.add("bad");
      result.textContent = failure.message;
    } finally {
      button.disabled = false;
    }
  },

  branch(git, branches) {
    const result = make("p", { class: "result", role: "status" });
    const chosen = () => { button.disabled = select.value === git.branch; };
    const select = make("select", { id: "branch", "aria-label": "Branch", change: chosen },
      ...branches.map((branch) => make("option", { value: branch.name, selected: branch.isCurrent }, branch.name)));
    const button = make("button", {
      type: "button", disabled: true,
      click: async () => {
        button.disabled = true;
        result.classList.remove("bad");
        try {
          await call("POST", projectPath(conversation.chat.projectId, "/git/checkout"), { branch: select.value });
          announce("Switched to " + select.value + ".");
          await this.load();
        } catch (failure) {
          result.classList.add("bad");
          result.textContent = failure.message;
          button.disabled = false;
        }
      },
    }, "Switch");
    return this.part("Branch", "branch", make("div", { class: "beside" }, select, button), result);
  },

  changes(git) {
    const names = {
      M: "changed", A: "new", D: "deleted", R: "renamed", C: "copied", T: "type changed", U: "in conflict", "?": "untracked",
    };
    const rows = list(git.changedPaths).map((change) => {
      const isStaged = change.indexStatus.trim() !== "" && change.indexStatus !== "?";
      const letter = isStaged ? change.indexStatus : change.workingTreeStatus;
      const word = names[letter.trim()] ?? "changed";
      const part = !isStaged ? "" : change.workingTreeStatus.trim() === "" ? ", staged" : ", partly staged";
      return make("li", {}, make("button", { type: "button", click: () => this.diff(change.path) },
        make("span", { class: "path" }, exact(change.path)),
        make("span", { class: isStaged ? "tag staged" : "tag" }, word + part)));
    });
    const more = git.changedFiles - rows.length;
    return this.part("Changed files", "file",
      rows.length > 0 ? make("ul", { class: "files" }, ...rows) : hint("Nothing has changed since the last commit."),
      more > 0 && hint("and " + more + " more"));
  },

  commit(git) {
    const count = git.stagedFiles;
    const result = make("p", { class: "result", role: "status" });
    if (count === 0) {
      const how = "Nothing is staged. What is committed is staged at the workstation, or by Codex.";
      return this.part("Commit", "check", hint(how));
    }
    const written = () => { button.disabled = message.value.trim() === ""; };
    const message = make("textarea", { id: "commit-message", rows: "2", maxlength: "20000", input: written });
    const button = make("button", {
      type: "button", class: "primary", disabled: true,
      click: async () => {
        button.disabled = true;
        result.classList.remove("bad");
        try {
          const path = projectPath(conversation.chat.projectId, "/git/commit");
          const commit = await data("POST", path, { message: message.value.trim() });
          await this.load();
          const said = "Committed " + String(commit.commitHash).slice(0, 10) + " on " + commit.branch + ".";
          find("session-body").querySelector(".part:nth-last-of-type(2)")?.append(hint(said, "result"));
          announce(said);
        } catch (failure) {
          result.classList.add("bad");
          result.textContent = failure.message;
          button.disabled = false;
        }
      },
    }, "Commit " + count + (count === 1 ? " staged file" : " staged files"));
    const field = make("div", {}, make("label", { for: "commit-message" }, "Message"), message);
    return this.part("Commit", "check", field, button, result);
  },

  async diff(path) {
    this.path = path;
    find("session-title").textContent = path.split("/").pop();
    find("session-back").hidden = false;
    find("session-body").replaceChildren(make("p", { class: "hint" }, "Loading…"));
    find("session-title").focus();
    try {
      const diff = await data("GET", projectPath(conversation.chat.projectId, "/git/diff?path=" + encodeURIComponent(path)));
      if (this.path !== path) return;
      const isUntracked = list(diff.untrackedPaths).includes(path);
      const none = isUntracked ? "Git does not track this file: there is nothing to compare it with." : "No difference.";
      find("session-body").replaceChildren(make("section", { class: "part" },
        hint(exact(path)), diff.text ? diffBlock(diff.text, "Diff of " + path) : hint(none),
        diff.truncated && make("p", { class: "warning" }, "The diff is longer than is shown here.")));
    } catch (failure) {
      find("session-body").replaceChildren(make("p", { class: "note error", role: "alert" }, failure.message));
    }
  },

  device() {
    const result = make("p", { class: "result", role: "status" });
    const button = make("button", {
      type: "button", class: "danger",
      click: async () => {
        if (!button.dataset.sure) {
          button.dataset.sure = "yes";
          button.textContent = "Sign out, really: it has to be paired again";
          return;
        }
        try {
          await call("DELETE", "/v1/session");
          for (const name of ["drafts", "outbox", "renewal", "chat", "begun"]) localStorage.removeItem(name);
          outbox.entries = [];
          this.dialog.close();
          session.lost("This browser is signed out.");
        } catch (failure) {
          result.classList.add("bad");
          result.textContent = failure.message;
        }
      },
    }, "Sign this browser out");
    const speech = dictation.Recognition ? "Dictation is your browser's; it may send the sound to its maker."
      : dictation.canRecord ? "What you dictate is recorded here, and written down at the workstation."
        : "This browser offers no dictation; a phone's keyboard may.";
    return this.part("This browser", "shield",
      hint((session.name ? "Paired as “" + session.name + "”. " : "") + speech), button, result);
  },
};

// MARK: Beginning

/// Shows the chat that the address names, else the one that was open last, else the newest.
async function route() {
  const named = /^#chat\/(.+)$/.exec(location.hash)?.[1];
  let id = storage.read("chat", null);
  if (named) {
    try { id = decodeURIComponent(named); } catch { id = null; }
  }
  let chat = drawer.chats.find((each) => each.id === id);
  if (!chat && named) {
    await drawer.refresh();
    chat = drawer.chats.find((each) => each.id === id);
  }
  chat ??= named ? null : drawer.chats[0];
  if (chat && conversation.chat?.id === chat.id && conversation.stream) return;
  const project = drawer.projects.find((each) => each.id === chat?.projectId);
  find("subtitle").textContent = project?.title ?? "";
  await conversation.show(chat ? { ...chat, folder: project?.cwd } : null);
  drawer.draw();
  if (!chat) {
    find("title").textContent = "Codex companion";
    find("empty").replaceChildren(make("h2", {}, named ? "That chat is not here" : "No chat yet"),
      make("p", {}, "Choose a project, and begin one."),
      drawer.wide.matches ? "" : action("Projects", () => drawer.open(), "primary"));
    find("empty").hidden = false;
  }
}

async function start() {
  welcome.takeSecret();
  try {
    const device = await ask("GET", "/v1/session").catch(async (failure) => {
      if (failure.status !== 401) throw failure;
      await session.renew(session.tag);
      return ask("GET", "/v1/session");
    });
    session.name = device.data.name;
    session.transcribes = device.data.transcribes === true;
    dictation.prepare();
    session.isOver = false;
  } catch (failure) {
    if (failure.status === 401) return welcome.show(welcome.secret ? undefined : "");
    welcome.showUnreachable(failure.message);
    await wait(3000);
    return start();
  }
  const wasShown = Boolean(welcome.secret);
  welcome.secret = null;
  find("welcome").hidden = true;
  find("app").hidden = false;
  drawer.place();
  await drawer.refresh();
  await route();
  if (wasShown) announce("This browser is paired already.");
  session.renewWhenDue();
}

function listen() {
  find("pair").addEventListener("submit", (event) => welcome.pair(event));
  find("open-drawer").addEventListener("click", () => drawer.open());
  find("open-session").addEventListener("click", () => sheet.open());
  find("session-back").addEventListener("click", () => sheet.load());
  for (const button of document.querySelectorAll("[data-close]")) {
    button.addEventListener("click", () => button.closest("dialog").close());
  }
  for (const dialog of document.querySelectorAll("dialog")) {
    // A tap beside the sheet closes it.
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog && !(dialog.id === "drawer" && drawer.wide.matches)) dialog.close();
    });
  }
  drawer.wide.addEventListener("change", () => drawer.place());
  find("earlier").addEventListener("click", () => conversation.showEarlier());
  find("latest").addEventListener("click", () => conversation.show(conversation.chat));
  find("jump").addEventListener("click", () => conversation.scrollToEnd());
  const area = find("conversation");
  area.addEventListener("scroll", () => conversation.scrolled(), { passive: true });
  area.addEventListener("wheel", (event) => { if (event.deltaY < 0) conversation.leaveEnd(); }, { passive: true });
  area.addEventListener("touchmove", () => conversation.leaveEnd(), { passive: true });
  area.addEventListener("keydown", (event) => {
    if (["ArrowUp", "PageUp", "Home"].includes(event.key)) conversation.leaveEnd();
  });
  find("composer").addEventListener("submit", (event) => composer.submit(event));
  find("text").addEventListener("input", () => { composer.keep(); composer.fit(); });
  find("text").addEventListener("keydown", (event) => composer.key(event));
  find("stop").addEventListener("click", () => composer.stop());
  find("dictate").addEventListener("click", () => dictation.toggle());
  addEventListener("hashchange", () => {
    // A second code, opened in the tab that has the page.
    welcome.takeSecret();
    if (welcome.secret && find("app").hidden) return welcome.show();
    if (welcome.secret) announce("This browser is paired already.");
    welcome.secret = null;
    if (!find("app").hidden) route();
  });
  const back = () => {
    if (document.hidden || find("app").hidden) return;
    session.renewWhenDue();
    outbox.send();
    const stream = conversation.stream;
    if (stream && Date.now() - stream.heardAt > 20000) stream.reopen();
  };
  addEventListener("online", () => { if (conversation.stream) conversation.stream.heardAt = 0; back(); });
  addEventListener("offline", () => connection.set("reconnecting"));
  document.addEventListener("visibilitychange", back);
  setInterval(() => session.renewWhenDue(), 30000);
}

listen();
start();
