import JSONService
import ResolveKitCore
import Testing

@testable import CodexCompanion

@Suite struct RenewableCredentialTests {
  private let random = RandomBytes.seeded()
  private let salt = [UInt8](repeating: 9, count: 32)
  private let otherSalt = [UInt8](repeating: 8, count: 32)

  private func renewed(_ renewal: RenewableCredential.Renewal) throws -> RenewableCredential.Tokens {
    guard case .renewed(let tokens) = renewal else {
      Issue.record("not renewed: \(renewal)")
      throw CancellationError()
    }
    return tokens
  }

  private func isReused(_ renewal: RenewableCredential.Renewal) -> Bool {
    if case .reused = renewal { true } else { false }
  }

  @Test func anAccessTokenIsValidForItsTime() {
    var (credential, tokens) = RenewableCredential.make(random: random, now: 1_000)
    let end = 1_000 + RenewableCredential.lifetime
    #expect(tokens.expiresAt == end)
    #expect(credential.use(tokens.access, now: end - 1) == .valid)
    #expect(credential.use(tokens.access, now: end) == .expired)
    #expect(credential.use(tokens.renewal, now: 1_000) == .none)
    #expect(credential.use(BearerToken(random: random), now: 1_000) == .none)
  }

  @Test func aLostAnswerIsGivenAgainUntilATokenIsUsed() throws {
    var (credential, first) = RenewableCredential.make(random: random, now: 0)
    let lost = try renewed(credential.renew(with: first.renewal, salt: salt, now: 10))
    let again = try renewed(credential.renew(with: first.renewal, salt: otherSalt, now: 20))
    #expect(again.access.bytes == lost.access.bytes)
    #expect(again.renewal.bytes == lost.renewal.bytes)
    #expect(again.expiresAt == 20 + RenewableCredential.lifetime)
    // The former access token serves the requests that are under way.
    #expect(credential.use(first.access, now: 30) == .valid)
    #expect(!isReused(credential.renew(with: first.renewal, salt: salt, now: 40)))
    #expect(credential.use(again.access, now: 50) == .valid)
    #expect(isReused(credential.renew(with: first.renewal, salt: salt, now: 60)))
  }

  @Test func aThiefIsNoticedWhicheverComesFirst() throws {
    var (credential, first) = RenewableCredential.make(random: random, now: 0)
    var tokens = first
    // The thief renews several times before the owner comes.
    for now in 1...3 { tokens = try renewed(credential.renew(with: tokens.renewal, salt: salt, now: now)) }
    #expect(isReused(credential.renew(with: first.renewal, salt: salt, now: 4)))
    // A made-up generation of the family is one that was never current.
    let forged = BearerToken(Array(first.renewal.bytes.prefix(16)) + [UInt8](repeating: 0, count: 16))
    #expect(isReused(credential.renew(with: forged, salt: salt, now: 5)))
  }

  @Test func othersTokensAreForeign() {
    var (credential, tokens) = RenewableCredential.make(random: random, now: 0)
    for token in [tokens.access, BearerToken(random: random)] {
      guard case .foreign = credential.renew(with: token, salt: salt, now: 1) else {
        Issue.record("taken for one of the family")
        continue
      }
    }
  }

  @Test func theSaltMakesTheNewTokens() throws {
    var (one, tokens) = RenewableCredential.make(random: random, now: 0)
    var other = one
    let left = try renewed(one.renew(with: tokens.renewal, salt: salt, now: 1))
    let right = try renewed(other.renew(with: tokens.renewal, salt: otherSalt, now: 1))
    #expect(left.access.bytes != right.access.bytes)
    #expect(left.renewal.bytes != right.renewal.bytes)
    #expect(left.access.bytes != left.renewal.bytes)
  }

  @Test func isTheSameAfterTheDisk() throws {
    var (credential, tokens) = RenewableCredential.make(random: random, now: 0)
    #expect(RenewableCredential(credential.members) == credential)
    _ = try renewed(credential.renew(with: tokens.renewal, salt: salt, now: 1))
    #expect(RenewableCredential(credential.members) == credential)
    for name in credential.members.keys {
      var members = credential.members
      members[name] = 7
      #expect(RenewableCredential(members) == nil, "\(name)")
    }
  }
}
