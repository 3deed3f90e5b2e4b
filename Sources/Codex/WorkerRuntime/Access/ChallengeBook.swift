import EventLedger
import JSONService
import ResolveKitCore

/// E-mail codes that wait to be shown. Pure.
///
/// Of a code there is only a digest that takes in the secret of the browser that asked for it: who reads the ledger can
/// try out no codes.
struct ChallengeBook: StreamFold {
  /// The proof of a browser: its secret, and the code that came by e-mail.
  struct Proof: Sendable {
    let secret: String
    let code: String

    /// Names the challenge.
    var id: String { TokenDigest(of: Array(secret.utf8)).hexadecimal }

    var bytes: [UInt8] { Array((secret + " " + code).utf8) }
  }

  private struct Challenge {
    let email: String
    let digest: TokenDigest
    let askedAt: WallTime
    let sequence: Int64
    var attempts = 0
    var isUsed = false
  }

  /// The lifetime of a code.
  static let lifetime = Duration.seconds(600)
  /// Wrong codes that may be shown for one challenge.
  static let attemptLimit = 5
  /// Codes that one address is sent within a lifetime.
  static let codesPerAddress = 3
  /// Challenges within a lifetime.
  static let limit = 1_000

  private var challenges: [String: Challenge] = [:]

  init() {}

  mutating func apply(_ event: LedgerEvent) {
    let members = event.members
    guard let id = members["id"]?.stringValue else { return }
    switch event.type {
    case "asked":
      guard let email = members["email"]?.stringValue,
        let digest = TokenDigest(hexadecimal: members["digest"]?.stringValue)
      else { return }
      challenges = challenges.filter { $0.value.askedAt + Self.lifetime > event.time }
      challenges[id] = Challenge(email: email, digest: digest, askedAt: event.time, sequence: event.sequence)
    case "tried": challenges[id]?.attempts += 1
    case "used": challenges[id]?.isUsed = true
    default: break
    }
  }

  /// The event that begins a challenge. Throws ``SignInError`` where too many were begun.
  func ask(_ proof: Proof, for email: String, now: WallTime) throws(SignInError) -> LedgerDraft {
    let recent = challenges.values.filter { $0.askedAt + Self.lifetime > now }
    guard recent.count < Self.limit, recent.count(where: { $0.email == email }) < Self.codesPerAddress else {
      throw .tooManyCodes
    }
    return Self.draft(
      "asked",
      [
        "id": .string(proof.id), "email": .string(email),
        "digest": .string(TokenDigest(of: proof.bytes).hexadecimal),
      ])
  }

  /// The event that takes a code: `used` for the right one, `tried` for a wrong one. Throws ``SignInError`` where none can be
  /// right any more.
  func show(_ proof: Proof, now: WallTime) throws(SignInError) -> LedgerDraft {
    guard let challenge = challenges[proof.id], !challenge.isUsed, challenge.attempts < Self.attemptLimit,
      challenge.askedAt + Self.lifetime > now
    else { throw .invalidCode }
    return Self.draft(challenge.digest.isOf(proof.bytes) ? "used" : "tried", ["id": .string(proof.id)])
  }

  /// The address that a challenge was for.
  func email(of proof: Proof) -> String? { challenges[proof.id]?.email }

  /// The last event that nothing depends on any more.
  func disposable(latest: Int64, now: WallTime) -> Int64 {
    let oldest = challenges.values.filter { $0.askedAt + Self.lifetime > now }.map(\.sequence).min()
    return (oldest ?? latest + 1) - 1
  }

  private static func draft(_ type: String, _ members: JSONObject) -> LedgerDraft {
    LedgerDraft(type: type, payload: JSONText.of(members))
  }
}
