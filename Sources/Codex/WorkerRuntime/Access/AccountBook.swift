package import EventLedger
import JSONService
import ResolveKitCore

/// The users and their tokens. Pure. Of a token there is only a digest.
package struct AccountBook: StreamFold {
  /// A person who has workers.
  package struct User: Equatable, Sendable {
    package let id: String
    package let email: String
  }

  /// A token that was issued and not revoked.
  package struct Token: Equatable, Sendable {
    package let id: String
    package let user: String
    package let name: String
    package let createdAt: WallTime
    let digest: TokenDigest
  }

  /// Tokens that one user may have; the oldest one ends where there would be more.
  static let tokenLimit = 64

  private var users: [String: User] = [:]
  private var userIDs: [String: String] = [:]
  private var tokens: [String: Token] = [:]
  private var tokenIDs: [TokenDigest: String] = [:]

  init() {}

  mutating func apply(_ event: LedgerEvent) {
    let members = event.members
    guard let id = members["id"]?.stringValue else { return }
    switch event.type {
    case "user":
      guard let email = members["email"]?.stringValue else { return }
      users[id] = User(id: id, email: email)
      userIDs[email] = id
    case "token":
      guard let user = members["user"]?.stringValue,
        let digest = TokenDigest(hexadecimal: members["digest"]?.stringValue)
      else { return }
      tokens[id] = Token(
        id: id, user: user, name: members["name"]?.stringValue ?? "", createdAt: event.time, digest: digest)
      tokenIDs[digest] = id
    case "revoked":
      if let token = tokens.removeValue(forKey: id) { tokenIDs[token.digest] = nil }
    default: break
    }
  }

  /// All users, by their ids.
  package var allUsers: [User] { users.values.sorted { $0.id < $1.id } }

  func user(_ id: String) -> User? { users[id] }

  func user(email: String) -> User? { userIDs[email].flatMap { users[$0] } }

  func token(_ digest: TokenDigest) -> Token? { tokenIDs[digest].flatMap { tokens[$0] } }

  func token(id: String) -> Token? { tokens[id] }

  /// The tokens of a user, or of all, the oldest first.
  package func tokens(of user: String?) -> [Token] {
    tokens.values.filter { user == nil || $0.user == user }
      .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
  }

  /// The events that make a user of this address where there is none, and give it a token.
  func drafts(of token: NewToken, for email: String, newUserID: String) -> [LedgerDraft] {
    let known = user(email: email)
    let user = known?.id ?? newUserID
    var drafts: [LedgerDraft] = []
    if known == nil { drafts.append(Self.draft("user", ["id": .string(user), "email": .string(email)])) }
    let own = tokens(of: user)
    drafts += own.prefix(max(0, own.count - Self.tokenLimit + 1)).map { Self.revocation(of: $0.id) }
    drafts.append(
      Self.draft(
        "token",
        [
          "id": .string(token.id), "user": .string(user), "name": .string(token.name),
          "digest": .string(token.digest.hexadecimal),
        ]))
    return drafts
  }

  static func revocation(of id: String) -> LedgerDraft { draft("revoked", ["id": .string(id)]) }

  private static func draft(_ type: String, _ members: JSONObject) -> LedgerDraft {
    LedgerDraft(type: type, payload: JSONText.of(members))
  }
}

/// A token that is about to be issued.
struct NewToken: Sendable {
  let id: String
  let name: String
  /// The secret that the client shows; it is kept nowhere.
  let secret: String
  let digest: TokenDigest

  init(name: String, random: RandomBytes) {
    id = Letters.text(random, count: 16)
    self.name = name
    secret = "workers_" + random.hexadecimal(bytes: 32)
    digest = TokenDigest(of: Array(secret.utf8))
  }
}
