import ResolveKitCore
import Testing

@testable import CodexCompanion

/// A request, and what codex does with it.
struct LaneCase: Sendable, CustomTestStringConvertible {
  let name: String
  var method = "thread/read"
  var params: JSONObject = [:]
  var thread: String?
  /// Threads that codex has in the worker's folder.
  var threads = ["shown"]
  /// The turn that runs already.
  var running: String?
  /// Codex's refusal of the method itself.
  var refusal: CodexCallError?
  /// The code of the failure; nil for an answer.
  var code: String?

  var testDescription: String { name }

  private static let text: JSONValue = [["type": "text", "text": "hi"]]

  static let all: [LaneCase] = [
    LaneCase(name: "list", method: "thread/list", threads: ["shown", "second", "third"]),
    LaneCase(name: "list a page", method: "thread/list", params: ["limit": 2], threads: ["shown", "second", "third"]),
    LaneCase(
      name: "list the next page", method: "thread/list", params: ["limit": 2, "cursor": "second"],
      threads: ["shown", "second", "third"]),
    LaneCase(name: "list nothing", method: "thread/list", threads: []),
    LaneCase(
      name: "list behind a thread that is gone", method: "thread/list", params: ["cursor": "x"], code: "invalid_request"
    ),
    LaneCase(name: "list too many", method: "thread/list", params: ["limit": 201], code: "invalid_request"),
    LaneCase(name: "list another folder", method: "thread/list", params: ["cwd": "/"], code: "invalid_request"),
    LaneCase(name: "read", params: ["threadId": "shown"]),
    LaneCase(name: "read with turns", params: ["threadId": "shown", "includeTurns": true]),
    LaneCase(name: "read the only thread"),
    LaneCase(name: "read, the request's thread wins", params: ["threadId": "nowhere"], thread: "shown"),
    LaneCase(
      name: "read, the request's thread loses nothing", params: ["threadId": "shown"], thread: "nowhere",
      code: "invalid_request"),
    LaneCase(name: "read an unknown thread", params: ["threadId": "nowhere"], code: "invalid_request"),
    LaneCase(name: "read one of several", threads: ["shown", "second"], code: "conflict"),
    LaneCase(name: "read none", threads: [], code: "worker_unavailable"),
    LaneCase(name: "resume", method: "thread/resume", params: ["threadId": "shown"]),
    LaneCase(
      name: "resume elsewhere", method: "thread/resume", params: ["threadId": "shown", "cwd": "/"],
      code: "invalid_request"),
    LaneCase(
      name: "resume what has no turn", method: "thread/resume", params: ["threadId": "shown"],
      refusal: CodexCallError(.refused(-32_600), "no rollout found for thread id shown")),
    LaneCase(
      name: "resume what another process has", method: "thread/resume", params: ["threadId": "shown"],
      refusal: CodexCallError(.refused(-32_600), "thread shown already has an active writer"), code: "conflict"),
    LaneCase(name: "start a thread", method: "thread/start"),
    LaneCase(name: "start a thread in the folder", method: "thread/start", params: ["cwd": "SHOWN", "model": "m"]),
    LaneCase(
      name: "start a thread in another folder", method: "thread/start", params: ["cwd": "/etc"], code: "forbidden"),
    LaneCase(
      name: "start a thread with a sandbox", method: "thread/start", params: ["sandbox": "danger-full-access"],
      code: "invalid_request"),
    LaneCase(
      name: "start a thread with a policy", method: "thread/start", params: ["approvalPolicy": "never"],
      code: "invalid_request"),
    LaneCase(name: "start a thread of no model", method: "thread/start", params: ["model": 5], code: "invalid_request"),
    LaneCase(
      name: "start a thread that codex refuses", method: "thread/start",
      refusal: CodexCallError(.refused(-32_600), "no such model"), code: "conflict"),
    LaneCase(
      name: "start a thread without codex", method: "thread/start",
      refusal: CodexCallError(.unavailable, "codex is away"),
      code: "worker_unavailable"),
    LaneCase(name: "start a turn", method: "turn/start", params: ["threadId": "shown", "input": text]),
    LaneCase(name: "start a turn in the only thread", method: "turn/start", params: ["input": text]),
    LaneCase(
      name: "start a turn, steering", method: "turn/start", params: ["threadId": "shown", "input": text], running: "t1"),
    LaneCase(
      name: "start a turn of nothing", method: "turn/start", params: ["threadId": "shown"], code: "invalid_request"),
    LaneCase(
      name: "start a turn of blanks", method: "turn/start",
      params: ["threadId": "shown", "input": [["type": "text", "text": " "]]], code: "invalid_request"),
    LaneCase(
      name: "start a turn with a file", method: "turn/start",
      params: ["threadId": "shown", "input": [["type": "localImage", "path": "/etc/passwd"]]], code: "invalid_request"),
    LaneCase(
      name: "start a turn with an address", method: "turn/start",
      params: ["threadId": "shown", "input": [["type": "image", "url": "http://169.254.169.254/"]]],
      code: "invalid_request"),
    LaneCase(
      name: "start a turn with a picture", method: "turn/start",
      params: ["threadId": "shown", "input": [["type": "image", "url": "data:image/png;base64,AA=="]]]),
    LaneCase(
      name: "start a turn of many items", method: "turn/start",
      params: ["threadId": "shown", "input": .array(Array(repeating: ["type": "text", "text": "a"], count: 17))],
      code: "invalid_request"),
    LaneCase(
      name: "start a turn with a sandbox", method: "turn/start",
      params: ["threadId": "shown", "input": text, "sandboxPolicy": ["type": "dangerFullAccess"]],
      code: "invalid_request"),
    LaneCase(
      name: "start a turn with a model", method: "turn/start",
      params: ["threadId": "shown", "input": text, "model": "m", "effort": "high"]),
    LaneCase(
      name: "start a turn with an effort that is no text", method: "turn/start",
      params: ["threadId": "shown", "input": text, "effort": 3], code: "invalid_request"),
    LaneCase(
      name: "start a turn in another folder", method: "turn/start",
      params: ["threadId": "shown", "input": text, "cwd": "/"], code: "invalid_request"),
    LaneCase(
      name: "start a turn that codex refuses", method: "turn/start", params: ["threadId": "shown", "input": text],
      refusal: CodexCallError(.refused(-32_603), "cannot steer a compact turn"), code: "conflict"),
    LaneCase(name: "interrupt", method: "turn/interrupt", params: ["threadId": "shown"], running: "t1"),
    LaneCase(
      name: "interrupt the turn", method: "turn/interrupt", params: ["threadId": "shown", "turnId": "t1"], running: "t1"
    ),
    LaneCase(
      name: "interrupt another turn", method: "turn/interrupt", params: ["threadId": "shown", "turnId": "t0"],
      running: "t1", code: "conflict"),
    LaneCase(name: "interrupt nothing", method: "turn/interrupt", params: ["threadId": "shown", "turnId": "t1"]),
    LaneCase(
      name: "interrupt what ends by itself", method: "turn/interrupt", params: ["threadId": "shown"], running: "t1",
      refusal: CodexCallError(.refused(-32_600), "no active turn to interrupt")),
    LaneCase(name: "another method", method: "thread/archive", code: "unsupported_method"),
  ]
}
