import CodexRemoteContract
import CodexWorkersClient
import EventLedger
import Foundation
import HTTPTypes
import Logging
import ResolveKitCore
import StreamTransport
import Synchronization
import TestSupport

@testable import CodexCompanion

/// The mirror's parts over a scripted codex, a ledger in memory, and a runtime that keeps what is posted.
final class MirrorUnderTest: Sendable {
  struct Post: Equatable {
    let type: String
    let payload: JSONObject
    let key: String?
  }

  private struct State {
    var posts: [Post] = []
    var refusals: [(status: Int, body: String)] = []
    var attempts = 0
    var time = WallTime(microseconds: 0)
  }

  static let account = "a@example.test"

  let folder: TemporaryFolder
  let codex = ScriptedCodex()
  let ledger: SQLiteEventLedger
  let policy: MirrorPolicyFile
  let directory: ChatDirectory
  let catalog: ProjectCatalog
  let hub: ChatHub
  let gate = MirrorGate()
  private let state = Mutex(State())
  let log = LogBook()
  private let logger: Logger

  init() throws {
    folder = try TemporaryFolder()
    logger = log.logger("companion")
    ledger = try SQLiteEventLedger.open(path: nil)
    policy = MirrorPolicyFile(path: folder.file("policy.json"))
    catalog = try ProjectCatalog(file: folder.file("projects.json"))
    directory = ChatDirectory(link: codex, catalog: catalog)
    hub = ChatHub(
      Chat.Services(
        link: codex, ledger: ledger,
        approvals: try Approvals(
          path: folder.file("approvals.json"), audit: AuditLog(path: folder.file("audit.jsonl"))),
        tools: ToolDefinitions(link: codex), alert: { _ in }, clock: InstantClock(), now: { .current },
        logger: logger))
    let threads: [JSONValue] = ["shown", "other"].map { name in
      ["id": .string(name), "cwd": .string("/work/\(name)"), "preview": "p", "updatedAt": 5]
    }
    codex.on("thread/list") { _ in ["data": .array(threads), "nextCursor": nil] }
    codex.on("thread/read") { params in
      guard let thread = threads.first(where: { $0.objectValue?["id"] == params["threadId"] }) else {
        throw CodexCallError(.refused(-32_600), "no such thread")
      }
      return ["thread": thread]
    }
    codex.on("thread/resume") { _ in ["thread": ["status": ["type": "idle"]]] }
    codex.on("thread/turns/list") { _ in ["data": []] }
    codex.on("turn/start") { _ in ["turn": ["id": "t1"]] }
  }

  var posts: [Post] { state.withLock { $0.posts } }
  var attempts: Int { state.withLock { $0.attempts } }

  /// The runtime's clock shows this from now on.
  func set(runtimeTime: WallTime) { state.withLock { $0.time = runtimeTime } }

  /// The next posts are refused so.
  func refuse(_ status: Int, _ body: String = "{}", times: Int = 1) {
    state.withLock { $0.refusals += Array(repeating: (status, body), count: times) }
  }

  func switchOn(_ folder: String = "/work/shown", since: WallTime = WallTime(microseconds: 0)) throws {
    try policy.change { $0.set(folder, for: Self.account, isOn: true, at: since) }
  }

  func store(_ name: String = "mirror.json") throws -> MirrorStore {
    try MirrorStore(
      path: folder.file(name), server: "https://script.test", worker: "w:1", ledger: "history", logger: logger)
  }

  private var mirror: MirrorConfiguration {
    let transport = ScriptedTransport { [self] received in
      let event = (try? JSONValue(parsing: received.body))?.objectValue?["event"]?.objectValue ?? [:]
      let post = Post(
        type: event["event_type"]?.stringValue ?? "", payload: event["payload"]?.objectValue ?? [:],
        key: HTTPField.Name("idempotency-key").flatMap { received.request.headerFields[$0] })
      return state.withLock { state in
        state.attempts += 1
        if !state.refusals.isEmpty {
          let refusal = state.refusals.removeFirst()
          return Self.json(refusal.status, refusal.body)
        }
        state.posts.append(post)
        return Self.json(
          202,
          #"{"data":{"worker_id":"w:1","seq":\#(state.posts.count),"event_type":"\#(post.type)","payload":{},"#
            + #""occurred_at":"\#(state.time.zulu)"}}"#)
      }
    }
    let client = WorkersClient(
      baseURL: URL(filePath: "/"), transport: transport, logger: logger, token: { "token" })
    return MirrorConfiguration(client: client, server: "https://script.test", worker: "w:1", account: Self.account)
  }

  private static func json(_ status: Int, _ body: String) -> ScriptedTransport.Answer {
    .response(
      HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: [.contentType: "application/json"]),
      [.bytes(Array(body.utf8)), .end])
  }

  func outbox(_ store: MirrorStore, clock: any Clock<Duration> = InstantClock()) -> MirrorOutbox {
    MirrorOutbox(
      MirrorOutbox.Services(
        mirror: mirror, store: store, policy: policy, directory: directory, ledger: ledger, gate: gate,
        clock: clock, now: { .current }, logger: logger), history: "history")
  }

  func clock(_ now: @escaping @Sendable () -> WallTime) -> MirrorClock { MirrorClock(now: now, logger: logger) }

  func pulse(_ clock: MirrorClock, now: @escaping @Sendable () -> WallTime) -> MirrorHeartbeat {
    MirrorHeartbeat(mirror: mirror, gate: gate, clock: clock, now: now, logger: logger)
  }

  /// - Parameter clock: one that takes this machine's time for the runtime's, where it is left out.
  func inbox(
    _ store: MirrorStore, now: WallTime = WallTime(microseconds: 0), clock: MirrorClock? = nil,
    timer: any Clock<Duration> = InstantClock()
  ) -> MirrorInbox {
    let threads = MirrorThreads(
      link: codex, hub: hub, directory: directory, settings: TurnSettings(link: codex), policy: policy,
      account: Self.account)
    return MirrorInbox(
      MirrorInbox.Services(
        mirror: mirror, store: store, desk: LaneDesk(threads), gate: gate, clock: clock ?? self.clock { now },
        timer: timer, now: { now }, logger: logger),
      sessionID: "session")
  }

  /// Writes events to a chat's log, as the companion does.
  func write(_ chat: String, _ count: Int, from first: Int = 1) async throws {
    let lease = try await ledger.lease(ChatLog.stream(of: chat), to: "companion", for: .seconds(60))
    let drafts = (first..<first + count).map { number in
      ChatEvent(.messageDelta, ["delta": .string("\(chat) \(number)"), "threadId": .string(chat)])
        .draft(chatID: chat, at: WallTime(microseconds: Int64(number)))
    }
    _ = try await ledger.append(drafts, under: lease, key: nil)
  }

  static func request(
    _ id: String, _ method: String, _ params: JSONObject = [:], sequence: Int64 = 1, expiresAt: String? = nil
  ) -> WorkerEvent {
    var payload: JSONObject = [
      "request_id": .string(id), "method": .string(method), "params": .object(params), "occurred_at": "t",
    ]
    payload["expires_at"] = expiresAt.map { .string($0) }
    return WorkerEvent(workerID: "w:1", sequence: sequence, type: "worker.request", payload: payload, occurredAt: "t")
  }
}

extension MirrorInbox {
  /// Takes an event, and returns when what it asks for is done.
  func deal(with event: WorkerEvent) async throws -> WorkerUptake {
    let uptake = try await take(.event(event))
    await settle()
    return uptake
  }
}
