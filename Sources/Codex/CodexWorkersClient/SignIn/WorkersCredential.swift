/// A sign-in at one server.
public struct WorkersCredential: Hashable, Sendable {
  /// The server's origin, such as `https://agents.example`. The token is sent to no other.
  public let server: String
  /// The address that the code was sent to.
  public let email: String
  /// The server's id of the account; nil where it gave none.
  public let userID: String?
  /// The token that calls carry as `Authorization: Bearer`; a secret.
  public let token: String

  static let maximumTokenBytes = 8 << 10

  /// A sign-in of these values, as ``WorkersSignIn/finish(_:code:)`` gives it.
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
