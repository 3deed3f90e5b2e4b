import CodexRemoteContract
import ResolveKitCore

/// The threads that a hosted codex has, and the turns that run in them, as far as it reports them. Pure.
struct HostedTurns: Equatable, Sendable {
  /// More are forgotten, and asked for again.
  private static let limit = 10_000
  /// Turns that may run at once. No client begins more; codex may begin some by itself.
  static let runningLimit = 256

  private var known: Set<String> = []
  /// Threads that this process of codex has loaded.
  private var loaded: Set<String> = []
  private var running: [String: String] = [:]
  /// The last turn of a thread that is over: the answer to its start may be read after its end.
  private var over: [String: String] = [:]

  mutating func take(_ event: HostedCodexEvent) {
    switch event {
    case .notified(let method, let params):
      let params = params.objectValue ?? [:]
      guard let thread = LaneEvent.thread(of: params) else { return }
      let turn = params["turn"]?.objectValue?["id"]?.stringValue
      switch method {
      case "turn/started": run(turn, in: thread)
      case "turn/completed":
        if over.count >= Self.limit { over = [:] }
        over[thread] = turn
        running[thread] = nil
      case "thread/closed": loaded.remove(thread)
      default: break
      }
    case .started, .ended:
      // What a process had loaded and ran ends with it.
      loaded = []
      running = [:]
    }
  }

  mutating func began(_ turn: String, in thread: String) {
    if over[thread] != turn { run(turn, in: thread) }
  }

  private mutating func run(_ turn: String?, in thread: String) {
    // One that is forgotten is not found by an interrupt, and its end is reported all the same.
    if running.count >= Self.limit, running[thread] == nil { running = [:] }
    running[thread] = turn
  }

  /// Whether a client may begin one more in this thread.
  func mayBegin(in thread: String) -> Bool { running[thread] != nil || running.count < Self.runningLimit }

  func running(in thread: String) -> String? { running[thread] }

  mutating func know(_ thread: String) {
    if known.count >= Self.limit { known = [] }
    known.insert(thread)
  }

  func knows(_ thread: String) -> Bool { known.contains(thread) }

  mutating func load(_ thread: String) {
    know(thread)
    if loaded.count >= Self.limit { loaded = [] }
    loaded.insert(thread)
  }

  func isLoaded(_ thread: String) -> Bool { loaded.contains(thread) }
}
