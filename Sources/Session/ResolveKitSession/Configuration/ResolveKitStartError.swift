/// A session that could not be started.
public struct ResolveKitStartError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Whether the server refuses this app, its key or its version; trying again changes nothing then.
  public var isBlocked: Bool
  /// One sentence for a person.
  public var message: String

  package init(isBlocked: Bool, message: String) {
    self.isBlocked = isBlocked
    self.message = message
  }

  public var description: String { message }
}
