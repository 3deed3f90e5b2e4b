/// One server-sent event of the session's stream.
package struct StreamEvent: Codable, Equatable, Sendable {
  /// The `generation` of the `openStream` that this stream belongs to.
  package let generation: Int
  /// The `id:` field of the event itself; empty where it has none, whatever the events before it had.
  package let id: String
  /// The `event:` field.
  package let type: String
  package let data: String
  package let arrivedAt: MonotonicNanoseconds

  package init(generation: Int, id: String, type: String, data: String, arrivedAt: MonotonicNanoseconds) {
    self.generation = generation
    self.id = id
    self.type = type
    self.data = data
    self.arrivedAt = arrivedAt
  }
}
