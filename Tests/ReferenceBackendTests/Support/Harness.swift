import EventLedger
import EventStream
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdHTTP3
import Logging
import NIOCore
import NIOPosix
import ReferenceBackend
import ResolveKitCore
import Synchronization
import Testing

/// A backend without sockets, asked through its responder.
final class Harness: Sendable {
  static let key = "rk_test"
  static let operatorKey = "ok_test"

  let core: BackendCore
  let database: BackendDatabase
  let time: SetTime
  /// The clock of a harness that was given none.
  let clock = SteppedClock()
  private let responder: RouterResponder<BasicRequestContext>

  convenience init(
    model: any ModelAdapter = DemoModel(tokenRate: 0), path: String? = nil,
    settings: BackendSettings = BackendSettings(), clock: (any Clock<Duration>)? = nil,
    files: String? = nil, operatorKey: String? = Harness.operatorKey, faults: BackendFaults = BackendFaults(),
    time: SetTime = SetTime()
  ) async throws {
    let database = try BackendDatabase(path: path)
    try await self.init(
      database, try database.storage(now: { time.now }), model, settings, clock, files, operatorKey, faults, time)
  }

  /// A backend that shares a database with others.
  convenience init(
    sharing storage: BackendStorage, model: any ModelAdapter, settings: BackendSettings = BackendSettings(),
    clock: (any Clock<Duration>)? = nil, time: SetTime = SetTime()
  ) async throws {
    try await self.init(
      try BackendDatabase(path: nil), storage, model, settings, clock ?? ContinuousClock(), nil, Harness.operatorKey,
      BackendFaults(), time)
  }

  private init(
    _ database: BackendDatabase, _ storage: BackendStorage, _ model: any ModelAdapter, _ settings: BackendSettings,
    _ clock: (any Clock<Duration>)?, _ files: String?, _ operatorKey: String?, _ faults: BackendFaults,
    _ time: SetTime
  ) async throws {
    self.time = time
    self.database = database
    core = try await BackendCore(
      storage: storage, apiKeys: ["rk_other", Self.key], operatorKey: operatorKey,
      model: model, settings: settings, faults: faults, clock: clock ?? self.clock, now: { time.now },
      logger: Self.logger)
    responder = core.makeResponder(files: files)
  }

  private static var logger: Logger {
    var logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    logger.logLevel = .critical
    return logger
  }

  func respond(
    _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, key: String? = Harness.key,
    token: String? = nil, headers: HTTPFields = [:]
  ) async throws -> Response {
    var head = HTTPRequest(method: method, scheme: "https", authority: "localhost", path: path, headerFields: headers)
    if let key { head.headerFields[.authorization] = "Bearer \(key)" }
    if let token, let name = HTTPField.Name("x-resolvekit-chat-capability") { head.headerFields[name] = token }
    let channel = InertChannel(remoteAddress: nil, eventLoop: MultiThreadedEventLoopGroup.singleton.next())
    let context = BasicRequestContext(source: .init(channel: channel, logger: Self.logger))
    let buffer = body.map { ByteBuffer(string: $0) } ?? ByteBuffer()
    return try await responder.respond(to: Request(head: head, body: .init(buffer: buffer)), context: context)
  }

  /// Sends a request and reads the whole answer.
  func call(
    _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, key: String? = Harness.key,
    token: String? = nil, headers: HTTPFields = [:]
  ) async throws -> (status: Int, json: JSONValue, headers: HTTPFields) {
    let response = try await respond(method, path, body, key: key, token: token, headers: headers)
    let bytes = Mutex<[UInt8]>([])
    try await response.body.write(ClosureBodyWriter { chunk in bytes.withLock { $0 += chunk } })
    let collected = bytes.withLock { $0 }
    let json: JSONValue = try collected.isEmpty ? .null : JSONValue(parsing: collected)
    return (response.status.code, json, response.headers)
  }

  func openSession(tools: [String] = [], device: String? = nil) async throws -> TestSession {
    var body: JSONObject = ["available_function_names": .array(tools.map { .string($0) })]
    if let device { body["device_id"] = .string(device) }
    let answer = try await call(.post, "/v1/sessions", JSONValue.object(body).jsonText)
    let json = try #require(answer.json.objectValue)
    return TestSession(
      harness: self, id: try #require(json["id"]?.stringValue),
      token: try #require(json["chat_capability_token"]?.stringValue),
      isReused: json["reused_active_session"]?.boolValue ?? false)
  }

  func register(_ tools: [JSONObject]) async throws {
    let body = JSONValue.object(["functions": .array(tools.map { .object($0) })])
    let answer = try await call(.put, "/v1/functions/bulk", body.jsonText)
    #expect(answer.status == 200)
  }
}

/// The time that a harness's backend believes.
final class SetTime: Sendable {
  private let time = Mutex(WallTime(microseconds: 1_800_000_000_000_000))

  var now: WallTime { time.withLock { $0 } }

  func advance(by span: Duration) {
    time.withLock { $0 = $0 + span }
  }
}
