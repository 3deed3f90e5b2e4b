import EventLedger
import TestSupport

/// The ledgers that the conformance suite runs on.
enum LedgerKind: String, CaseIterable, Sendable {
  case model
  case memory
  case file
  case postgres

  /// The ledgers with tables beside the events. PostgreSQL only where it is installed; in CI it has to be.
  static var databases: [LedgerKind] { PostgresCluster.isExpected ? [.memory, .file, .postgres] : [.memory, .file] }

  static var allCases: [LedgerKind] { [.model] + databases }

  /// An empty ledger in virtual time.
  func make() async throws -> any LedgerUnderTest {
    switch self {
    case .model: ModelUnderTest()
    case .memory: try SQLiteUnderTest.inMemory()
    case .file: try SQLiteUnderTest.inFile()
    case .postgres: try await PostgresUnderTest.make()
    }
  }
}

/// A ledger, and what a test can do around it.
protocol LedgerUnderTest: Sendable {
  var ledger: any EventLedger { get }
  /// Moves the time that the ledger goes by.
  func advance(by duration: Duration) async throws
  /// A second ledger on the same database, as another process would have it.
  func another() async throws -> any EventLedger
  /// Rows of events and keys in the database, dropped ones too.
  func storedRows() async throws -> Int
}
