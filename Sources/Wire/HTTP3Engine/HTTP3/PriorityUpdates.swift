/// Finds PRIORITY_UPDATE frames (RFC 9218 § 7.2) on a server's streams that only the client sends on.
struct PriorityUpdates {
  struct Update {
    var id: StreamID
    var priority: StreamPriority
  }

  private var scanners: [StreamID: HTTP3FrameScanner] = [:]

  /// Takes what the library accepted of a stream, and answers the updates in it.
  mutating func read(_ bytes: UnsafeRawBufferPointer, on id: StreamID) -> [Update] {
    var updates: [Update] = []
    scanners[id, default: HTTP3FrameScanner(isUnidirectional: true)].scan(bytes) { found in
      guard case .priorityUpdate(let element, let value) = found, let element = Int64(exactly: element),
        let priority = StreamPriority(fieldValue: value)
      else { return }
      updates.append(Update(id: StreamID(element), priority: priority))
    }
    return updates
  }

  mutating func didClose(_ id: StreamID) { scanners[id] = nil }
}
