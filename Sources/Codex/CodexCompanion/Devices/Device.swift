package import ResolveKitCore

/// A client that was paired and may control Codex until it is revoked.
package struct Device: ControlRecord {
  package typealias ID = String

  package let id: ID
  /// The device's own name, fit to be shown.
  package let name: String
  /// Milliseconds since 1970.
  package let pairedAt: Int
  /// Milliseconds since 1970; nil where it never showed its token.
  package internal(set) var lastUsedAt: Int?

  /// The longest name, in characters.
  package static let maximumName = 64

  init(id: ID, name: String, pairedAt: Int, lastUsedAt: Int? = nil) {
    self.id = id
    self.name = ShownText.line(name, limit: Self.maximumName)
    self.pairedAt = pairedAt
    self.lastUsedAt = lastUsedAt
  }

  package init(_ fields: ControlFields) throws(ControlError) {
    self.init(
      id: try fields.id("deviceId"), name: try fields.text("name"), pairedAt: try fields.time("pairedAt"),
      lastUsedAt: try fields.optionalTime("lastUsedAt"))
  }

  package var json: JSONValue {
    .record([
      "deviceId": .string(id), "name": .string(name), "pairedAt": .time(pairedAt),
      "lastUsedAt": lastUsedAt.map { .time($0) },
    ])
  }
}
