import Crypto
import EventLedger
import Foundation

/// Settings that a database keeps: its app's id and the key that signs its sessions' tokens, which it is given once, and the
/// history that it has.
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

  /// The history of a database whose ledger has this identity, and whether it begins with this: another one does where the
  /// database was restored from a backup.
  func history(of identity: String, now: WallTime) async throws -> (history: LogHistory, hasBegun: Bool) {
    try await rows.write { access in
      let known =
        try access.run("SELECT value FROM settings WHERE name = 'history'", []).first?.text(0)?
        .split(separator: " ") ?? []
      let number = known.first.flatMap { Int64($0) }
      if let number, known.last.map(String.init) == identity { return (LogHistory(number), false) }
      let next = number.map { max($0 + 1, now.seconds) } ?? LogHistory.first.number
      try access.run(
        "INSERT INTO settings VALUES ('history', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [.text("\(next) \(identity)")])
      return (LogHistory(next), number != nil)
    }
  }

  private func value(of name: String, or new: String) async throws -> String {
    try await rows.write { access in
      try access.run("INSERT INTO settings VALUES (?, ?) ON CONFLICT DO NOTHING", [.text(name), .text(new)])
      return try access.run("SELECT value FROM settings WHERE name = ?", [.text(name)]).first?.text(0) ?? new
    }
  }
}
