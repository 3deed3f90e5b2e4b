import EventStream
import HTTPTypes
public import Logging
public import ResolveKitCore
public import StreamTransport

/// A companion's routes, typed.
///
/// Safe to use from any task. Every call throws ``RemoteError``; cancelling the task cancels the call.
public struct RemoteClient: Sendable {
  /// The companion.
  public let host: RemoteHost
  let transport: any HTTPTransport
  let clock: TransportClock
  let logger: Logger
  private let requests: RemoteRequests
  private let authorization: RemoteAuthorization

  /// - Parameters:
  ///   - kind: how it is reached.
  ///   - store: where renewed tokens are kept, which other programs may share; nil to keep them in memory alone, where
  ///     they end with this value and its copies.
  ///   - originStore: what is remembered of UDP on this network.
  ///   - resumptionStore: what lets the next connection's first request go out beside the handshake (0-RTT).
  public init(
    host: RemoteHost, store: RemoteHostStore?, transport kind: RemoteTransport = .automatic,
    originStore: OriginStore = OriginStore(), resumptionStore: ResumptionStore = ResumptionStore(),
    logger: Logger = Logger(label: "codex-remote")
  ) throws(RemoteError) {
    let transport = try kind.make(
      for: host.origin, fingerprint: host.fingerprint, originStore: originStore, resumptionStore: resumptionStore,
      logger: logger)
    self.init(host: host, store: store, transport: transport, clock: .continuous, logger: logger)
  }

  package init(
    host: RemoteHost, store: RemoteHostStore?, transport: any HTTPTransport, clock: TransportClock,
    now: (@Sendable () -> Int)? = nil, logger: Logger
  ) {
    self.host = host
    self.transport = transport
    self.clock = clock
    self.logger = logger
    requests = RemoteRequests(transport: transport, clock: clock, logger: logger)
    authorization = RemoteAuthorization(
      host, store: store, requests: requests, now: now ?? { WallClock.milliseconds() })
  }

  /// The connection as it is now; nil while there is none.
  public func snapshot() async -> ConnectionSnapshot? { await transport.snapshot() }

  /// Closes the connections; a later call connects again.
  public func close() async { await transport.close() }

  // MARK: Lists

  /// The projects, as the companion orders them.
  public func projects() async throws -> [RemoteProject] { try await data(RemoteCall(.get, "/v1/projects")) }

  /// The chats, the latest first.
  public func chats(inProject projectID: String? = nil) async throws -> [RemoteChatSummary] {
    let query = projectID.map { "?projectId=" + PercentEncoding.encode($0) } ?? ""
    return try await data(RemoteCall(.get, "/v1/chats" + query))
  }

  /// Begins a chat in a folder of the companion's machine; nil for the project that was used last.
  public func newChat(inFolder folder: String? = nil, model: String? = nil) async throws -> RemoteChatSummary {
    var body: JSONObject = [:]
    body["cwd"] = folder.map { .string($0) }
    body["model"] = model.map { .string($0) }
    return try await data(RemoteCall(.post, "/v1/chats", body: body, timeout: .seconds(45)))
  }

  // MARK: A chat

  /// The chat's history: the newest page, or the one before a page's cursor.
  ///
  /// - Parameter limit: the entries of the page at most; nil for as many as the companion gives.
  public func timeline(ofChat id: String, before: Int? = nil, limit: Int? = nil) async throws -> RemoteTimeline {
    let parameters = [before.map { "before=\($0)" }, limit.map { "limit=\($0)" }].compactMap(\.self)
    let query = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
    return try await data(
      RemoteCall(.get, path(chat: id, "timeline") + query, timeout: .seconds(45), answerLimit: 32 << 20))
  }

  /// Has codex load the chat, so that its events come.
  public func activate(_ chatID: String) async throws {
    _ = try await bytes(RemoteCall(.post, path(chat: chatID, "activate"), body: [:], timeout: .seconds(45)))
  }

  /// Whether a turn runs.
  public func runState(ofChat id: String) async throws -> RemoteRunState {
    try await data(RemoteCall(.get, path(chat: id, "run-state")))
  }

  /// The model of the chat's turns.
  public func model(ofChat id: String) async throws -> RemoteChatModel {
    try await data(RemoteCall(.get, path(chat: id, "model")))
  }

  /// Sends a message: it begins a turn, or adds to the one that runs.
  ///
  /// - Parameter requestID: the same id again starts no second turn.
  public func send(_ text: String, toChat id: String, requestID: String) async throws -> RemoteReceipt {
    try await data(
      RemoteCall(
        .post, path(chat: id, "messages"), body: ["text": .string(text), "request_id": .string(requestID)],
        timeout: .seconds(45)))
  }

  /// Interrupts the turn that runs; whether one did.
  public func stop(_ chatID: String) async throws -> Bool {
    struct Answer: Decodable { let interrupted: Bool }
    let answer: Answer = try await data(RemoteCall(.post, path(chat: chatID, "stop"), body: [:]))
    return answer.interrupted
  }

  /// All questions that wait in a chat, the oldest first.
  public func pendingApprovals(ofChat id: String) async throws -> [RemoteApproval] {
    let answer = try await object(RemoteCall(.get, path(chat: id, "pending-approvals")))
    return (answer["data"]?.arrayValue ?? []).compactMap { $0.objectValue.flatMap(RemoteApproval.init(json:)) }
  }

  /// Answers a question.
  ///
  /// - Parameter content: the answers that an MCP server asks for.
  public func decide(_ approvalID: String, _ decision: RemoteDecision, content: JSONObject? = nil) async throws {
    var body: JSONObject = ["decision": .string(decision.rawValue)]
    body["content"] = content.map { .object($0) }
    _ = try await bytes(RemoteCall(.post, "/v1/approvals/" + PercentEncoding.encode(approvalID), body: body))
  }

  // MARK: A project

  /// A project's repository, and the settings in it.
  public func context(ofProject id: String) async throws -> RemoteProjectContext {
    try await data(RemoteCall(.get, path(project: id, "context")))
  }

  /// The local branches, the current one first.
  public func branches(ofProject id: String) async throws -> [RemoteBranch] {
    try await data(RemoteCall(.get, path(project: id, "git/branches")))
  }

  /// The changes in one path, or in all.
  public func diff(ofProject id: String, path: String? = nil) async throws -> RemoteDiff {
    let query = path.map { "?path=" + PercentEncoding.encode($0) } ?? ""
    return try await data(RemoteCall(.get, self.path(project: id, "git/diff") + query))
  }

  /// Checks out an existing branch.
  public func checkOut(_ branch: String, inProject id: String) async throws -> RemoteGitState {
    try await data(RemoteCall(.post, path(project: id, "git/checkout"), body: ["branch": .string(branch)]))
  }

  /// Commits what is staged.
  public func commit(_ message: String, inProject id: String) async throws -> RemoteCommit {
    try await data(RemoteCall(.post, path(project: id, "git/commit"), body: ["message": .string(message)]))
  }

  /// Changes codex's settings; nil leaves one as it is.
  public func changeSettings(approvalPolicy: String? = nil, sandboxMode: String? = nil) async throws -> RemoteSettings {
    var body: JSONObject = [:]
    body["approvalPolicy"] = approvalPolicy.map { .string($0) }
    body["sandboxMode"] = sandboxMode.map { .string($0) }
    return try await data(RemoteCall(.patch, "/v1/runtime/config", body: body))
  }

  // MARK: The device

  /// Ends the pairing from this side: the companion forgets this device.
  public func revoke() async throws {
    _ = try await bytes(RemoteCall(.post, "/v1/pairing/revoke", body: [:]))
  }

  /// Has the companion write down what was said; `unsupported` where it has no dictation.
  ///
  /// - Parameters:
  ///   - audio: the file in base64.
  ///   - mimeType: such as `audio/wav`.
  public func transcribe(
    audio: String, fileName: String, mimeType: String, language: String? = nil
  ) async throws -> RemoteTranscript {
    var body: JSONObject = [
      "audioBase64": .string(audio), "filename": .string(fileName), "mimeType": .string(mimeType),
    ]
    body["language"] = language.map { .string($0) }
    return try await data(
      RemoteCall(.post, "/v1/dictation/transcribe", body: body, timeout: .seconds(120)))
  }

  // MARK: Sending

  func token() async throws -> String { try await authorization.token() }

  func renewedToken(after refused: String) async throws -> String { try await authorization.renewed(after: refused) }

  private func path(chat id: String, _ name: String) -> String { "/v1/chats/\(PercentEncoding.encode(id))/\(name)" }
  private func path(project id: String, _ name: String) -> String {
    "/v1/projects/\(PercentEncoding.encode(id))/\(name)"
  }

  /// The bytes of an answer. A token that is refused is renewed, and the call made once more: it was not looked at.
  private func bytes(_ call: RemoteCall) async throws -> [UInt8] {
    do {
      let token = try await token()
      do {
        return try await requests.bytes(call, token: token)
      } catch let error as RemoteError where error.code == .unauthorized {
        return try await requests.bytes(call, token: try await renewedToken(after: token))
      }
    } catch {
      throw RemoteError(error)
    }
  }

  private func object(_ call: RemoteCall) async throws -> JSONObject {
    guard let members = try? JSONValue(parsing: try await bytes(call)).objectValue else {
      throw RemoteError(.malformed, "The companion's answer is no JSON object; check what stands in front of it.")
    }
    return members
  }

  /// The value of `data` in an answer.
  private func data<Value: Decodable>(_ call: RemoteCall) async throws -> Value {
    let bytes = try await bytes(call)
    do {
      return try ResolveKitJSON.decode(RemoteAnswer<Value>.self, from: bytes).data
    } catch {
      throw RemoteError(error)
    }
  }
}

/// A success: `{"data": …}`.
private struct RemoteAnswer<Value: Decodable>: Decodable {
  let data: Value
}
