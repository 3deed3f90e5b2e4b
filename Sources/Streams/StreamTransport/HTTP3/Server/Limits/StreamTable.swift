import HTTP3Engine

/// A value for each of some streams, found by connection too.
struct StreamTable<Value> {
  private var connections: [ConnectionKey: [StreamID: Value]] = [:]

  var isEmpty: Bool { connections.isEmpty }

  var places: [ExchangePlace] {
    connections.flatMap { key, streams in streams.keys.map { ExchangePlace(connection: key, stream: $0) } }
  }

  subscript(place: ExchangePlace) -> Value? {
    get { connections[place.connection]?[place.stream] }
    set {
      connections[place.connection, default: [:]][place.stream] = newValue
      if newValue == nil, connections[place.connection]?.isEmpty == true { connections[place.connection] = nil }
    }
  }

  /// The streams of one connection.
  subscript(key: ConnectionKey) -> [StreamID: Value] { connections[key] ?? [:] }

  /// Takes those of one connection out.
  mutating func removeAll(of key: ConnectionKey) -> [StreamID: Value] { connections.removeValue(forKey: key) ?? [:] }
}
