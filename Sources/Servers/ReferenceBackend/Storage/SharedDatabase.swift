package import EventLedger
import Foundation

/// A database that several backends have at once.
///
/// Made by a program that links what the database needs: this library links no client of a database server.
public struct SharedDatabase: Sendable {
  package let storage: BackendStorage

  /// - Parameters:
  ///   - ledger: a ledger for many processes.
  ///   - rows: the tables of ``SharedSchema`` in the same database.
  ///   - close: ends all reading and writing.
  package init(ledger: any EventLedger, rows: any RowDatabase, close: @escaping @Sendable () -> Void) {
    storage = BackendStorage(
      ledger: ledger, rows: rows,
      // The process is for people who look into the database; the rest distinguishes it from any other.
      processName: "backend/\(ProcessInfo.processInfo.processIdentifier)/\(UUID().uuidString.lowercased())",
      close: close)
  }
}
