import CodexAppServer
import CodexRemoteContract
import ResolveKitCore
import Synchronization

/// The threads of a codex that runs on the runtime's machine.
///
/// It is the operator's machine and not the client's: threads work in the worker's own folder, in codex's sandbox and
/// without approvals, whatever a client asks for.
final class HostedThreads: CodexLane {
  /// Pages of codex's list that are read; one that is longer is cut at its oldest.
  private static let pages = 20

  private let codex: any HostedCodex
  /// The folder in which codex works for the worker.
  private let workspace: String
  private let book = Mutex(HostedTurns())

  init(_ codex: any HostedCodex, workspace: String) {
    self.codex = codex
    self.workspace = workspace
  }

  /// Takes codex's notifications, in order.
  func note(_ event: HostedCodexEvent) { book.withLock { $0.take(event) } }

  func folders() async throws -> [String] { [workspace] }

  func threads() async throws -> [LaneThread] {
    var threads: [LaneThread] = []
    var cursor: JSONValue?
    for _ in 0..<Self.pages {
      // Without sourceKinds: codex 0.163 calls what an app-server's client began "vscode", and the home is the worker's
      // alone. The default order loses threads of the same second between two pages; a page has 100 at most.
      var params: JSONObject = ["sortKey": "updated_at", "limit": 100]
      params["cursor"] = cursor
      let answer = try await call("thread/list", params)
      threads += (answer["data"]?.arrayValue ?? []).compactMap { $0.objectValue.flatMap(LaneThread.init(codex:)) }
      guard let next = answer["nextCursor"], !next.isNull else { break }
      cursor = next
    }
    book.withLock { book in for thread in threads { book.know(thread.id) } }
    return threads
  }

  func check(_ thread: String) async throws {
    guard !book.withLock({ $0.knows(thread) }) else { return }
    do {
      _ = try await call("thread/read", ["threadId": .string(thread)])
    } catch let refusal as LaneRefusal where refusal.code == .conflict {
      // codex reads a thread that it has not loaded from its list alone.
      guard try await threads().contains(where: { $0.id == thread }) else { throw LaneRefusal.unknownThread }
    }
    book.withLock { $0.know(thread) }
  }

  /// Read-only, until its first turn brings the sandbox: a start with a writable one would have codex trust the folder by
  /// itself, and apply settings that a turn wrote there (codex 0.163).
  func begin(in folder: String, model: String?) async throws -> LaneThread {
    var params: JSONObject = ["cwd": .string(folder), "sandbox": "read-only", "approvalPolicy": "never"]
    params["model"] = model.map { .string($0) }
    let answer = try await call("thread/start", params)
    guard let thread = answer["thread"]?.objectValue.flatMap(LaneThread.init(codex:)) else {
      throw LaneRefusal(.internalError, "Codex named no thread.")
    }
    book.withLock { $0.load(thread.id) }
    return thread
  }

  func load(_ thread: String) async throws -> String {
    guard !book.withLock({ $0.isLoaded(thread) }) else { return "already_active" }
    do {
      _ = try await call(
        "thread/resume",
        [
          "threadId": .string(thread), "excludeTurns": true, "cwd": .string(workspace), "sandbox": "read-only",
          "approvalPolicy": "never",
        ])
    } catch let refusal as LaneRefusal where refusal.message.contains("no rollout found") {
      return "no_rollout"
    }
    book.withLock { $0.load(thread) }
    return "resumed"
  }

  func send(
    _ input: [JSONValue], with settings: LaneTurnSettings, to thread: String, id: String
  ) async throws -> LaneTurn {
    guard book.withLock({ $0.mayBegin(in: thread) }) else {
      throw LaneRefusal(
        .workerUnavailable, "\(HostedTurns.runningLimit) turns run on this worker; try again when one has ended.",
        isRetryable: true)
    }
    _ = try await load(thread)
    let running = book.withLock { $0.running(in: thread) }
    let own: JSONObject = [
      "threadId": .string(thread), "input": .array(input), "clientUserMessageId": .string(id),
      "approvalPolicy": "never",
      "sandboxPolicy": ["type": "workspaceWrite", "writableRoots": [], "networkAccess": false],
    ]
    let answer = try await call("turn/start", settings.params.merging(own) { _, own in own })
    guard let turn = answer["turn"]?.objectValue?["id"]?.stringValue else {
      throw LaneRefusal(.internalError, "Codex named no turn.")
    }
    book.withLock { $0.began(turn, in: thread) }
    return LaneTurn(id: turn, mode: turn == running ? .steered : .started)
  }

  func runningTurn(of thread: String) async throws -> String? { book.withLock { $0.running(in: thread) } }

  func interrupt(_ thread: String) async throws -> Bool {
    guard let turn = book.withLock({ $0.running(in: thread) }) else { return false }
    do {
      _ = try await call("turn/interrupt", ["threadId": .string(thread), "turnId": .string(turn)])
      return true
    } catch let refusal as LaneRefusal where refusal.message.contains("no active turn") {
      return false
    }
  }

  func read(_ thread: String, hasTurns: Bool) async throws -> JSONObject {
    PayloadFit.fit(
      try await call("thread/read", ["threadId": .string(thread), "includeTurns": .bool(hasTurns)]),
      toBytes: LaneEvent.parameterLimit)
  }

  private func call(_ method: String, _ params: JSONObject) async throws -> JSONObject {
    try await codex.call(method, .object(params)).objectValue ?? [:]
  }
}
