/// A sign-in at one server.
public struct WorkersCredential: Hashable, Sendable {
  /// The server's origin, such as `https://agents.example`. The token is sent to no other.
  public let server: String
  public let email: String
  public let userID: String?
  public let token: String

  static let maximumTokenBytes = 8 << 10

  public init(server: String, email: String, userID: String? = nil, token: String) {
    self.server = server
    self.email = email
    self.userID = userID
    self.token = token
  }

  /// The account's name among others of the same server.
  public var account: String { userID ?? email }
}

extension WorkersCredential: CustomStringConvertible {
  /// Without the token, which belongs in no log.
  public var description: String { "\(email) at \(server)" }
}
