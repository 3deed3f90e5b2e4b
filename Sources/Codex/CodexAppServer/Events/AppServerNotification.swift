package import ResolveKitCore

/// A notification of codex.
package struct AppServerNotification: Hashable, Sendable {
  package let kind: Kind
  package let method: String
  /// The params as they came, whatever the kind.
  package let params: JSONValue

  package init(method: String, params: JSONValue) {
    self.method = method
    self.params = params
    kind = Kind(method, params.objectValue ?? [:])
  }

  /// The known meaning of a notification.
  package enum Kind: Hashable, Sendable {
    /// One that is read, with all that it has to have.
    case read
    /// A method of the schema of which nothing is read.
    case passedOver
    /// A method that the schema does not have.
    case unknown
    /// A method that is read, without what it has to have.
    case unreadable
  }
}
