import EventLedger
import JSONService

/// Signs people in by a code that is sent to their e-mail address.
struct SignIn: Sendable {
  /// Sends a code to an address.
  typealias Mailer = @Sendable (_ email: String, _ code: String) async throws -> Void

  let storage: Storage
  let challenges: SharedStream<ChallengeBook>
  let accounts: Accounts
  /// nil where nobody is signed in so.
  let mailer: Mailer?
  let random: RandomBytes
  let now: @Sendable () -> WallTime

  /// Sends a code, and returns the secret that the browser is to keep. Throws ``SignInError``.
  func begin(_ email: String) async throws -> String {
    guard let mailer else { throw SignInError.noMailer }
    let proof = ChallengeBook.Proof(secret: random.hexadecimal(bytes: 32), code: code())
    let now = now()
    let change = try await challenges.change { [try $0.ask(proof, for: email, now: now)] }
    try await mailer(email, proof.code)
    if let event = change.event {
      let end = change.value.disposable(latest: event.sequence, now: now)
      if end > 0 { try await storage.ledger.trim(StreamNames.challenges, through: end) }
    }
    return proof.secret
  }

  /// Takes the code, and issues a token. Throws ``SignInError`` for a wrong one, and one that is too late.
  func complete(secret: String, code: String) async throws -> Accounts.Grant {
    let proof = ChallengeBook.Proof(secret: secret, code: code)
    let now = now()
    let change = try await challenges.change { [try $0.show(proof, now: now)] }
    guard change.event?.type == "used", let email = change.value.email(of: proof) else {
      throw SignInError.invalidCode
    }
    return try await accounts.issue(to: email, name: "e-mail")
  }

  /// Six digits.
  private func code() -> String {
    let number = random.make(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
    let digits = String(number)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }
}

/// The reason for a failed sign-in.
enum SignInError: Error, Equatable {
  /// The code is wrong, was used, or is too old.
  case invalidCode
  /// The address was sent as many as it may be for a while, or all were.
  case tooManyCodes
  /// The runtime sends no e-mail.
  case noMailer
}
