/// Tables that stand in a ledger's database, for what is looked up rather than followed.
///
/// One dialect for all conformers: parameters are `?`, columns are integers of 64 bits and texts, what is written once is
/// `ON CONFLICT`. All methods throw ``LedgerError``, and `CancellationError` where the caller's task was cancelled; what
/// was begun by then is completed.
package protocol RowDatabase: Sendable {
  /// Reads. What several statements see need not be of one moment.
  func read<Value: Sendable>(_ body: @escaping @Sendable (any RowAccess) throws -> Value) async throws -> Value

  /// Calls `body` in a transaction that is as if it were alone, and survives a crash once this returns. Where another got
  /// in its way it is undone and `body` called again.
  func write<Value: Sendable>(_ body: @escaping @Sendable (any RowAccess) throws -> Value) async throws -> Value
}

/// The work of a transaction.
package protocol RowAccess {
  /// Runs a statement; returns its rows.
  @discardableResult
  func run(_ sql: String, _ values: [RowValue]) throws -> [TableRow]

  /// Tells those who listen to the ledger's news, in every process, that something about a topic has changed: once the
  /// transaction is durable, and not if it is undone.
  func signal(_ topic: String) throws
}

/// A parameter.
package enum RowValue: Equatable, Sendable {
  case integer(Int64?)
  /// Without NUL, which databases do not store.
  case text(String?)

  package static func time(_ time: WallTime?) -> RowValue { .integer(time?.microseconds) }
  package static func flag(_ flag: Bool) -> RowValue { .integer(flag ? 1 : 0) }
}

/// A row of a statement's answer: its columns by their places.
package struct TableRow: Equatable, Sendable {
  private let columns: [RowValue]

  package init(_ columns: [RowValue]) { self.columns = columns }

  /// nil where the column is NULL, or there is no such integer.
  package func integer(_ place: Int) -> Int64? {
    guard columns.indices.contains(place), case .integer(let value) = columns[place] else { return nil }
    return value
  }

  /// nil where the column is NULL, or there is no such text.
  package func text(_ place: Int) -> String? {
    guard columns.indices.contains(place), case .text(let value) = columns[place] else { return nil }
    return value
  }
}
