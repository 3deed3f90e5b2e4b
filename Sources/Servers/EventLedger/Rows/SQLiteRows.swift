package import GRDB

/// Tables in SQLite.
package final class SQLiteRows: RowDatabase {
  private let database: any DatabaseWriter
  private let news: LedgerNews

  /// - Parameter news: the receiver of signals: those of the ledger in the same database.
  package init(_ database: any DatabaseWriter, news: LedgerNews) {
    self.database = database
    self.news = news
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any RowAccess) throws -> Value
  ) async throws -> Value {
    do { return try await database.wholeRead { try body(SQLiteAccess($0)) } } catch let error as DatabaseError {
      throw LedgerError(error)
    }
  }

  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (any RowAccess) throws -> Value
  ) async throws -> Value {
    do {
      let (value, topics) = try await database.wholeWrite { database in
        let access = SQLiteAccess(database)
        return (try body(access), access.topics)
      }
      for topic in topics { news.post(.signalled(topic: topic)) }
      return value
    } catch let error as DatabaseError { throw LedgerError(error) }
  }
}

/// A transaction of SQLite's.
private final class SQLiteAccess: RowAccess {
  private let database: Database
  private(set) var topics: [String] = []

  init(_ database: Database) { self.database = database }

  func run(_ sql: String, _ values: [RowValue]) throws -> [TableRow] {
    let arguments = StatementArguments(
      values.map { value -> (any DatabaseValueConvertible)? in
        switch value {
        case .integer(let number): number
        case .text(let text): text
        }
      })
    return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map { row in
      TableRow(
        row.databaseValues.map { value in
          switch value.storage {
          case .int64(let number): .integer(number)
          case .string(let text): .text(text)
          case .null, .double, .blob: .integer(nil)
          }
        })
    }
  }

  func signal(_ topic: String) { topics.append(topic) }
}
