import EventLedger
import HTTPTypes
import ResolveKitCore
import Synchronization
import TestSupport
import Testing

@testable import WorkerRuntime

/// Tokens by e-mail and by the operator.
@Suite(.timeLimit(.minutes(5)))
struct AuthTests {
  /// Codes that were sent.
  private final class Mailbox: Sendable {
    private let mails = Mutex<[(email: String, code: String)]>([])
    var last: (email: String, code: String)? { mails.withLock { $0.last } }
    var count: Int { mails.withLock { $0.count } }
    func take(_ email: String, _ code: String) { mails.withLock { $0.append((email, code)) } }
  }

  private func start() throws -> (RuntimeUnderTest, Mailbox) {
    let mailbox = Mailbox()
    var settings = RuntimeSettings()
    settings.mailer = { mailbox.take($0, $1) }
    return (try RuntimeUnderTest(settings: settings), mailbox)
  }

  private func ask(_ runtime: RuntimeUnderTest, _ email: String) async throws -> HTTPFields {
    let answer = try await runtime.call(.post, "/api/auth/email", #"{"email":"\#(email)"}"#)
    #expect(answer.status == 200)
    let cookie = try #require(answer.headers[.setCookie])
    #expect(cookie.contains("HttpOnly") && cookie.contains("Secure"))
    return .one("cookie", "other=1; " + String(cookie.prefix { $0 != ";" }))
  }

  private func wrong(_ code: String) -> String { code == "000000" ? "000001" : "000000" }

  @Test func aCodeByEmailIsChangedForAToken() async throws {
    let (runtime, mailbox) = try start()
    let cookie = try await ask(runtime, "Ana@example.com")
    let mail = try #require(mailbox.last)
    #expect(mail.email == "ana@example.com")
    #expect(mail.code.wholeMatch(of: /\d{6}/) != nil)
    let answer = try await runtime.call(
      .post, "/api/auth/verify", #"{"code":"\#(mail.code)"}"#, headers: cookie)
    #expect(answer.status == 200)
    let token = try #require(answer.json.at("token").stringValue)
    #expect(answer.json.at("user", "email") == "ana@example.com")
    #expect(answer.json.at("userId") == answer.json.at("user", "id"))
    #expect(try await runtime.call(.get, "", token: token).status == 200)
    // Auth expiry and re-auth behaviour: a code works once, a second sign-in gives the same user another token.
    let reused = try await runtime.call(.post, "/api/auth/verify", #"{"code":"\#(mail.code)"}"#, headers: cookie)
    #expect(reused.status == 422)
    let issued = try #require(try await runtime.core.accounts.book().tokens(of: nil).first)
    _ = try await runtime.core.accounts.revoke(issued.id)
    #expect(try await runtime.call(.get, "", token: token).status == 401)
    let secondCookie = try await ask(runtime, "ana@example.com")
    let code = try #require(mailbox.last).code
    let again = try await runtime.call(.post, "/api/auth/verify", #"{"code":"\#(code)"}"#, headers: secondCookie)
    #expect(again.json.at("userId") == answer.json.at("userId"))
    #expect(again.json.at("token") != answer.json.at("token"))
  }

  @Test func codesAreShortLivedAndAttemptsLimited() async throws {
    let (runtime, mailbox) = try start()
    let cookie = try await ask(runtime, "ana@example.com")
    let code = try #require(mailbox.last).code
    for _ in 0..<5 {
      let answer = try await runtime.call(
        .post, "/api/auth/verify", #"{"code":"\#(wrong(code))"}"#, headers: cookie)
      #expect(answer.status == 422)
      #expect(answer.json.at("errors", "code") == ["The code is invalid or has expired."])
    }
    #expect(
      try await runtime.call(.post, "/api/auth/verify", #"{"code":"\#(code)"}"#, headers: cookie).status == 422)
    let late = try await ask(runtime, "ana@example.com")
    let second = try #require(mailbox.last).code
    #expect(try await runtime.call(.post, "/api/auth/verify", #"{"code":"\#(second)"}"#).status == 422)
    // Another browser's secret does not go with it.
    #expect(
      try await runtime.call(.post, "/api/auth/verify", #"{"code":"\#(second)"}"#, headers: cookie).status == 422)
    runtime.time.advance(by: .seconds(600))
    #expect(
      try await runtime.call(.post, "/api/auth/verify", #"{"code":"\#(second)"}"#, headers: late).status == 422)
    #expect(try await runtime.core.accounts.book().allUsers.isEmpty)
  }

  @Test func anAddressIsSentFewCodes() async throws {
    let (runtime, mailbox) = try start()
    for _ in 0..<3 { _ = try await ask(runtime, "ana@example.com") }
    let refused = try await runtime.call(.post, "/api/auth/email", #"{"email":"ana@example.com"}"#)
    #expect(refused.status == 429 && mailbox.count == 3)
    _ = try await ask(runtime, "ben@example.com")
    runtime.time.advance(by: .seconds(601))
    _ = try await ask(runtime, "ana@example.com")
  }

  @Test(arguments: [
    "{}", #"{"email":"ana"}"#, #"{"email":"a@b@c"}"#, #"{"email":"a b@c"}"#, #"{"email":"a@b\r\nBcc: c@d"}"#,
  ])
  func addressesAreChecked(_ body: String) async throws {
    let (runtime, mailbox) = try start()
    #expect(try await runtime.call(.post, "/api/auth/email", body).status == 422)
    #expect(mailbox.count == 0)
  }

  /// A body is held until it has come, so that who is not signed in may not send much.
  @Test(arguments: ["email", "verify"]) func aSignInIsShort(_ route: String) async throws {
    let (runtime, mailbox) = try start()
    let body = #"{"email":"ana@example.com","code":"000000"}"# + String(repeating: " ", count: 16 << 10)
    #expect(try await runtime.call(.post, "/api/auth/\(route)", body).status == 413)
    #expect(mailbox.count == 0)
  }

  @Test func aRuntimeWithoutAMailerSaysSo() async throws {
    let runtime = try RuntimeUnderTest()
    #expect(try await runtime.call(.post, "/api/auth/email", #"{"email":"a@b.c"}"#).status == 503)
  }

  @Test func neitherTokensNorCodesAreStored() async throws {
    let (runtime, mailbox) = try start()
    let cookie = try await ask(runtime, "ana@example.com")
    let code = try #require(mailbox.last).code
    let answer = try await runtime.call(.post, "/api/auth/verify", #"{"code":"\#(code)"}"#, headers: cookie)
    let token = try #require(answer.json.at("token").stringValue)
    for stream in ["accounts", "challenges"] {
      let extent = try await runtime.ledger.extent(of: stream)
      let events = try await runtime.ledger.events(of: stream, after: extent.floor, limit: 1_000)
      let text = events.map { String(decoding: $0.payload, as: UTF8.self) }.joined()
      #expect(!events.isEmpty && !text.contains(token) && !text.contains(code))
    }
  }

  @Test func aTokenOfOneRuntimeIsKnownToAnotherAtOnce() async throws {
    let runtime = try RuntimeUnderTest()
    let other = try RuntimeUnderTest(runtime.ledger, time: runtime.time)
    let token = try await runtime.token()
    #expect(try await other.call(.get, "", token: token).status == 200)
    let issued = try #require(try await runtime.core.accounts.book().tokens(of: nil).first)
    _ = try await runtime.core.accounts.revoke(issued.id)
    _ = try await other.core.accounts.book()
    #expect(try await other.call(.get, "", token: token).status == 401)
  }
}
