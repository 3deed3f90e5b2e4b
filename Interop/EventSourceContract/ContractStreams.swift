/// The streams that are open, by their ids.
actor ContractStreams {
  /// Each may hold as much as an event-source client does.
  static let limit = 64

  private var streams: [String: ContractStream] = [:]
  private var made = 0

  /// The new stream's id; nil, and nothing is made, where there are too many.
  func add(_ make: @Sendable () -> ContractStream) -> String? {
    guard streams.count < Self.limit else { return nil }
    made += 1
    let id = String(made)
    streams[id] = make()
    return id
  }

  func stream(_ id: String) -> ContractStream? { streams[id] }

  func remove(_ id: String) -> ContractStream? { streams.removeValue(forKey: id) }

  func closeAll() async {
    let all = streams.values
    streams = [:]
    for stream in all { await stream.close() }
  }
}
