import HTTPTypes

/// The key that a model's endpoint asks for; no description shows it.
struct ModelKey: Sendable, CustomStringConvertible, CustomReflectable {
  private let value: String

  /// Nil for an empty key. Throws ``BackendError`` with `configuration` for one that no header field can carry.
  init?(_ key: String) throws(BackendError) {
    let key = key.trimmingWhitespace
    if key.isEmpty { return nil }
    guard key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw BackendError(
        .configuration, "The model's key has a space, a control character or a letter that is not ASCII; copy it again."
      )
    }
    value = key
  }

  /// The credentials of RFC 6750 § 2.1.
  var authorization: HTTPField {
    HTTPField(name: .authorization, value: "Bearer \(value)")
  }

  /// `text` without the key, which an endpoint may repeat.
  func hidden(in text: String) -> String {
    text.replacing(value, with: description)
  }

  var description: String { "(hidden)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension String {
  fileprivate var trimmingWhitespace: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
