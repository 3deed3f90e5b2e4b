/// The history of a database in which an event was said.
///
/// A database that is restored from a backup begins another one: what was said after the backup is gone, and the numbers
/// of those events are given again.
package struct LogHistory: Hashable, Sendable {
  /// Seconds since 1970 when the restored database was first used; 0 for a database that never was restored.
  package let number: Int64

  package init(_ number: Int64) {
    self.number = number
  }

  package static let first = LogHistory(0)
}
