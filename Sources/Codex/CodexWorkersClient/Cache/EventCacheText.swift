import ResolveKitCore

/// The text of a worker's event cache: a JSON object a line, the first of which says what it is.
///
/// Lines are only ever added. A line that was cut off by a crash ends what is believed: what follows the last whole event
/// without a gap is read again from the server.
struct EventCacheText: Equatable {
  static let format = "codex-worker-events"

  /// The events that are kept, in order and without a gap.
  var events: [WorkerEvent]
  /// Whether the text is one that lines can be added to.
  var isWhole: Bool

  static func head(server: String, worker: String) -> [UInt8] {
    let members: JSONValue = [
      "format": .string(format), "version": 1, "server": .string(server), "worker": .string(worker),
    ]
    return members.serialized() + [UInt8(ascii: "\n")]
  }

  static func line(_ event: WorkerEvent) -> [UInt8] { event.json.serialized() + [UInt8(ascii: "\n")] }

  /// Nil for a text of another server or worker, or of another format.
  init?(_ bytes: [UInt8], server: String, worker: String) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)[...]
    guard let first = lines.popFirst(), let head = (try? JSONValue(parsing: Array(first))).flatMap({ WireObject($0) }),
      head.string("format") == Self.format, head.count("version") == 1, head.string("server") == server,
      head.string("worker") == worker
    else { return nil }
    events = []
    isWhole = bytes.last == UInt8(ascii: "\n")
    for line in lines {
      guard let value = try? JSONValue(parsing: Array(line)), let event = WorkerEvent(value), event.workerID == worker
      else {
        isWhole = false
        return
      }
      // After a loss the newer part counts.
      if let last = events.last, event.sequence != last.sequence + 1 {
        guard event.sequence > last.sequence else {
          isWhole = false
          return
        }
        events = []
      }
      events.append(event)
    }
  }
}
