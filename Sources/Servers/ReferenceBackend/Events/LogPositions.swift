/// Positions in sessions' logs at which reading is to continue, the latest ones, within a number and a size.
///
/// One that is not kept any more costs the reads by which a turn's text is summed up again, and nothing else.
package struct LogPositions {
  private struct Place: Hashable {
    let sessionID: String
    let cursor: EventID
  }

  private let limit: Int
  private let byteLimit: Int
  private var kept: [Place: (number: Int, position: LogPosition)] = [:]
  private var count = 0
  package private(set) var bytes = 0

  package init(limit: Int = 4_096, byteLimit: Int = 32 << 20) {
    self.limit = limit
    self.byteLimit = byteLimit
  }

  /// Removes and returns the position after an event.
  package mutating func take(_ sessionID: String, after cursor: EventID) -> LogPosition? {
    remove(Place(sessionID: sessionID, cursor: cursor))
  }

  /// Keeps a position in the place of one after the same event.
  package mutating func keep(_ position: LogPosition, of sessionID: String) {
    let place = Place(sessionID: sessionID, cursor: position.cursor)
    remove(place)
    count += 1
    kept[place] = (count, position)
    bytes += position.bytes
    guard kept.count > limit || bytes > byteLimit else { return }
    // Half of them at once, or each that comes would have all looked through.
    for place in kept.sorted(by: { $0.value.number < $1.value.number }).map(\.key) {
      guard kept.count > limit / 2 || bytes > byteLimit / 2 else { return }
      remove(place)
    }
  }

  /// Removes those of a session.
  package mutating func removeAll(of sessionID: String) {
    for place in kept.keys.filter({ $0.sessionID == sessionID }) { remove(place) }
  }

  @discardableResult
  private mutating func remove(_ place: Place) -> LogPosition? {
    guard let (_, position) = kept.removeValue(forKey: place) else { return nil }
    bytes -= position.bytes
    return position
  }
}
