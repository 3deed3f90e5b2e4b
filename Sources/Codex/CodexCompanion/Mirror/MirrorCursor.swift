/// The position up to which the worker's log is dealt with, while requests of it are in progress. Pure.
struct MirrorCursor: Equatable, Sendable {
  private var latest: Int64?
  private var open: Set<Int64> = []

  /// The last event before which nothing is open; nil where nothing was read.
  var value: Int64? {
    guard let latest else { return nil }
    return open.min().map { min($0 - 1, latest) } ?? latest
  }

  /// An event was read; what it asks for is under way where it is `open`.
  mutating func read(_ sequence: Int64, isOpen: Bool) {
    latest = sequence
    if isOpen { open.insert(sequence) }
  }

  mutating func end(_ sequence: Int64) { open.remove(sequence) }

  /// The log was begun anew and is read from here.
  mutating func rewind(to sequence: Int64) {
    latest = sequence
    open = []
  }
}
