import Crypto
import EventLedger
import Foundation
import GRDB

/// Settings that a database is given once and keeps: its app's id and the key that signs its sessions' tokens.
package struct SettingStore: Sendable {
  let database: any DatabaseWriter

  init(_ database: BackendDatabase) {
    self.database = database.writer
  }

  func appID() async throws -> String {
    try await value(of: "app_id", or: UUID().uuidString.lowercased())
  }

  func signingKey() async throws -> SymmetricKey {
    let new = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0).base64EncodedString() }
    let text = try await value(of: "signing_key", or: new)
    guard let bytes = Data(base64Encoded: text), bytes.count >= 32 else {
      throw BackendError(.database, "The database's signing key is damaged; delete the setting 'signing_key'.")
    }
    return SymmetricKey(data: bytes)
  }

  private func value(of name: String, or new: String) async throws -> String {
    try await database.wholeWrite { database in
      try database.execute(sql: "INSERT OR IGNORE INTO settings VALUES (?, ?)", arguments: [name, new])
      return try String.fetchOne(database, sql: "SELECT value FROM settings WHERE name = ?", arguments: [name]) ?? new
    }
  }
}
