public import Foundation
import HTTPTypes
public import Logging
import ResolveKitCore
import ResolveKitNetworking
public import StreamTransport

/// Signs a person in by a code that the server sends to their e-mail address.
public struct WorkersSignIn: Sendable {
  /// A sign-in that waits for its code.
  public struct Pending: Sendable {
    let email: String
    /// The server's cookies in the client: the two calls belong together by them.
    let cookies: String?
  }

  private let calls: WorkersCalls
  private let timeout: Duration

  /// A sign-in at the server of `baseURL`, over a transport to that server's origin.
  public init(
    baseURL: URL, transport: any HTTPTransport, configuration: WorkersConfiguration = WorkersConfiguration(),
    logger: Logger = Logger(label: "codex.workers")
  ) {
    timeout = configuration.callTimeout
    calls = WorkersCalls(
      base: ResolveKitBasePath(baseURL), transport: transport, token: { nil }, clock: configuration.clock,
      logger: logger)
  }

  /// Has a code sent. Throws ``WorkersError``.
  public func begin(email: String) async throws -> Pending {
    let (fields, _) = try await calls.exchange(call("/api/auth/email", ["email": .string(email)]), Self.fields)
    return Pending(email: email, cookies: Self.cookies(fields))
  }

  /// Gives the code for a token. Throws ``WorkersError``.
  public func finish(_ pending: Pending, code: String) async throws -> WorkersCredential {
    var fields = Self.fields
    fields[.cookie] = pending.cookies
    let call = call("/api/auth/verify", ["code": .string(code)])
    let (_, answer) = try await calls.exchange(call, fields)
    guard let token = answer.word("token"), token.utf8.count <= WorkersCredential.maximumTokenBytes,
      token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw calls.unreadable(call, "there is no usable token in it") }
    let user = WireObject(answer["user"])
    return WorkersCredential(
      server: calls.transport.origin.description, email: user?.word("email") ?? pending.email,
      userID: answer.word("user_id") ?? user.flatMap { $0.word("id") ?? $0.count("id").map(String.init) },
      token: token)
  }

  private func call(_ path: String, _ body: JSONValue) -> WorkersCall {
    WorkersCall(
      method: .post, path: path, body: body, requestID: LetterID.make("remotereq-"), timeout: timeout,
      answerLimit: 64 << 10)
  }

  /// A server gives a token, and no session of a browser, to clients that name themselves so.
  private static let fields: HTTPFields = [.client: "autopilot-ios"]

  private static let cookieLimit = 8 << 10

  /// The names and values of the response's cookies; nil where it has none, or more than any sign-in needs.
  private static func cookies(_ fields: HTTPFields) -> String? {
    let pairs = fields[values: .setCookie].compactMap { $0.split(separator: ";").first }
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.contains("=") }
    let text = pairs.joined(separator: "; ")
    return text.isEmpty || text.utf8.count > cookieLimit ? nil : text
  }
}
