import Crypto
import EventLedger
import Foundation

/// Settings that a database is given once and keeps: its app's id and the key that signs its sessions' tokens.
package struct SettingStore: Sendable {
  private let rows: any RowDatabase

  init(_ rows: any RowDatabase) { self.rows = rows }

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
    try await rows.write { access in
      try access.run("INSERT INTO settings VALUES (?, ?) ON CONFLICT DO NOTHING", [.text(name), .text(new)])
      return try access.run("SELECT value FROM settings WHERE name = ?", [.text(name)]).first?.text(0) ?? new
    }
  }
}
