import EventLedger
import JSONService
import Synchronization

/// The party that a request's token belongs to.
struct Principal: Equatable, Sendable {
  /// The user's id.
  let id: String
  /// The token's id.
  let token: String
}

/// The accounts as this process knows them, and changes to them.
package final class Accounts: Sendable {
  /// A token with the secret that a client shows; it is given out this once.
  package struct Grant: Sendable {
    package let secret: String
    package let user: AccountBook.User
  }

  private struct Looks {
    var running: Task<AccountBook, any Error>?
    /// Has not begun.
    var next: Task<AccountBook, any Error>?
  }

  private let stream: SharedStream<AccountBook>
  private let random: RandomBytes
  private let known = Mutex(AccountBook())
  private let looks = Mutex(Looks())

  init(_ storage: Storage, random: RandomBytes) {
    stream = SharedStream(StreamNames.accounts, storage)
    self.random = random
  }

  /// The accounts as they are stored now. Callers that ask while another look-up runs share the next one: a flood of
  /// tokens that nobody issued costs the ledger one question at a time.
  package func book() async throws -> AccountBook {
    let look = looks.withLock { looks in
      if let next = looks.next { return next }
      let next = Task { [running = looks.running] in
        _ = await running?.result
        // A caller that comes from here on may know more than this look-up finds.
        self.looks.withLock { looks in
          looks.running = looks.next
          looks.next = nil
        }
        return try await self.look()
      }
      looks.next = next
      return next
    }
    return try await look.value
  }

  private func look() async throws -> AccountBook {
    let book = try await stream.current()
    known.withLock { $0 = book }
    return book
  }

  /// The user whose token an `Authorization` field shows (RFC 6750 § 2.1). Throws ``APIFault``.
  func authenticate(_ authorization: String?) async throws -> Principal {
    let parts = (authorization ?? "").split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= 256 else {
      throw APIFault.unauthenticated
    }
    let digest = TokenDigest(of: Array(parts[1].utf8))
    if let token = known.withLock({ $0.token(digest) }) { return Principal(id: token.user, token: token.id) }
    // It may have been issued by another process a moment ago.
    guard let token = try await book().token(digest) else { throw APIFault.unauthenticated }
    return Principal(id: token.user, token: token.id)
  }

  /// Throws ``APIFault`` where the token was revoked since.
  func recheck(_ user: Principal) throws {
    guard known.withLock({ $0.token(id: user.token) }) != nil else { throw APIFault.unauthenticated }
  }

  /// Issues a token to the user of an e-mail address, who is made where there is none.
  package func issue(to email: String, name: String) async throws -> Grant {
    let token = NewToken(name: name, random: random)
    let newUserID = "user_" + Letters.text(random, count: 24)
    let email = email.lowercased()
    let change = try await stream.change { $0.drafts(of: token, for: email, newUserID: newUserID) }
    known.withLock { $0 = change.value }
    guard let user = change.value.user(email: email) else {
      throw LedgerError(.database, "A user that was just stored is not there; report this.")
    }
    return Grant(secret: token.secret, user: user)
  }

  /// Ends a token. Returns false where there is none of this id.
  package func revoke(_ id: String) async throws -> Bool {
    let change = try await stream.change { $0.token(id: id) == nil ? [] : [AccountBook.revocation(of: id)] }
    known.withLock { $0 = change.value }
    return change.event != nil
  }
}
