package import ResolveKitCore

/// The event by which every lane passes on codex's notifications.
package enum LaneEvent {
  package static let type = "worker.event"
  /// Larger parameters are cut, and say so.
  package static let parameterLimit = 256 << 10
  /// codex's have 36; the contract has 160 characters.
  private static let maximumThreadBytes = 640
  /// The notifications of codex that are passed on; the rest is about codex itself, or is returned by `thread/read`.
  package static let methods: Set<String> = [
    "turn/started", "turn/completed", "item/started", "item/completed", "item/agentMessage/delta", "error",
  ]

  /// - Parameters:
  ///   - source: who writes it.
  ///   - params: cut to ``parameterLimit`` already.
  ///   - thread: nil where it is about none.
  ///   - time: the writer's, for people.
  package static func payload(
    source: String, method: String, params: JSONObject, thread: String?, at time: String
  ) -> JSONObject {
    var payload: JSONObject = [
      "source": .string(source), "method": .string(method), "params": .object(params), "occurred_at": .string(time),
    ]
    payload["thread_id"] = thread.map { .string($0) }
    return payload
  }

  /// The thread that a notification of codex is about; nil where its id is no id, which would be part of an event uncut.
  package static func thread(of params: JSONObject) -> String? {
    let id = params["threadId"]?.stringValue ?? params["thread"]?.objectValue?["id"]?.stringValue
    return id.flatMap { $0.utf8.count <= maximumThreadBytes ? $0 : nil }
  }
}
