import EventLedger
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdHTTP3
import JSONService
import Logging
import NIOCore
import NIOPosix
import ResolveKitCore
import Synchronization
import TestSupport
import Testing

@testable import WorkerRuntime

/// A runtime without sockets, asked through its responder.
final class RuntimeUnderTest: Sendable {
  /// A runtime's answer.
  struct Answer: Sendable {
    let status: Int
    let json: JSONValue
    let headers: HTTPFields
  }

  static let base = "/api/runtime/codex/workers"

  let core: RuntimeCore
  let ledger: any EventLedger
  let time: SetTimeOfDay
  let clock = ManualClock()
  private let responder: RouterResponder<RuntimeContext>

  /// - Parameters:
  ///   - ledger: one that several runtimes share; one in memory where it is left out.
  ///   - hosting: nil for a runtime that hosts no codex.
  init(
    _ ledger: (any EventLedger)? = nil, settings: RuntimeSettings = RuntimeSettings(),
    time: SetTimeOfDay = SetTimeOfDay(),
    hosting: LaneHosting? = nil, logger: Logger = RuntimeUnderTest.logger
  )
    throws
  {
    self.time = time
    let ledger = try ledger ?? SQLiteEventLedger(DatabaseQueue(), now: { time.now })
    self.ledger = ledger
    core = RuntimeCore(
      ledger, settings: settings, hosting: hosting, random: .system, clock: clock, now: { time.now }, logger: logger)
    responder = core.makeResponder()
  }

  static var logger: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

  /// A token of a user.
  func token(_ email: String = "ana@example.com") async throws -> String {
    try await core.accounts.issue(to: email, name: "test").secret
  }

  func respond(
    _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: String? = nil,
    headers: HTTPFields = [:]
  ) async throws -> Response {
    let path = path.hasPrefix("/") ? path : Self.base + (path.isEmpty || path.hasPrefix("?") ? path : "/" + path)
    var head = HTTPRequest(method: method, scheme: "https", authority: "localhost", path: path, headerFields: headers)
    if let token { head.headerFields[.authorization] = "Bearer \(token)" }
    let channel = InertChannel(remoteAddress: nil, eventLoop: MultiThreadedEventLoopGroup.singleton.next())
    var logger = Self.logger
    // Where the server puts a request's id.
    logger[metadataKey: "hb.request.id"] = "test"
    let context = RuntimeContext(source: .init(channel: channel, logger: logger))
    let buffer = body.map { ByteBuffer(string: $0) } ?? ByteBuffer()
    return try await responder.respond(to: Request(head: head, body: .init(buffer: buffer)), context: context)
  }

  /// Sends a request and reads the whole answer. A path without a slash is below the workers'.
  func call(
    _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: String? = nil,
    headers: HTTPFields = [:]
  ) async throws -> Answer {
    let response = try await respond(method, path, body, token: token, headers: headers)
    let collected = try await Self.collect(response)
    let json: JSONValue = try collected.isEmpty ? .null : JSONValue(parsing: collected)
    return Answer(status: response.status.code, json: json, headers: response.headers)
  }

  static func collect(_ response: Response) async throws -> [UInt8] {
    let bytes = Mutex<[UInt8]>([])
    try await response.body.write(CollectingWriter { chunk in bytes.withLock { $0 += chunk } })
    return bytes.withLock { $0 }
  }

  /// Makes a worker, with a heartbeat where a device is to be there.
  @discardableResult
  func makeWorker(
    _ id: String = "desktopw:host:shared", token: String, adapter: String = "desktop_bridge", heartbeat: Bool = true
  ) async throws -> String {
    let made = try await call(.post, "", #"{"worker_id":"\#(id)","adapter":"\#(adapter)"}"#, token: token)
    #expect(made.status == 202)
    if heartbeat { try await post("worker.heartbeat", "{}", to: id, token: token) }
    return id
  }

  /// Posts an event; the answer's sequence number.
  @discardableResult
  func post(
    _ type: String, _ payload: String, to id: String, token: String, headers: HTTPFields = [:]
  ) async throws
    -> Answer
  {
    try await call(
      .post, "\(id)/events", #"{"event":{"event_type":"\#(type)","payload":\#(payload)}}"#, token: token,
      headers: headers)
  }

  /// The whole of a stream that ends by itself, its time skipped.
  func stream(_ id: String, _ query: String = "", token: String, headers: HTTPFields = [:]) async throws -> String {
    let answer = try await respond(.get, "\(id)/stream\(query)", token: token, headers: headers)
    async let text = String(decoding: Self.collect(answer), as: UTF8.self)
    await clock.waitForSleep(of: .milliseconds(Self.tail(query)))
    clock.advance(by: .milliseconds(Self.tail(query)))
    return try await text
  }

  private static func tail(_ query: String) -> Int {
    query.split(whereSeparator: { "?&".contains($0) }).first { $0.hasPrefix("tail_ms=") }
      .flatMap { Int($0.dropFirst("tail_ms=".count)) } ?? 1_000
  }
}

/// The time that runtimes and ledger believe.
final class SetTimeOfDay: Sendable {
  private let time: Mutex<WallTime>

  init(_ start: WallTime = WallTime(microseconds: 1_800_000_000_000_000)) { time = Mutex(start) }

  var now: WallTime { time.withLock { $0 } }

  func advance(by span: Duration) { time.withLock { $0 = $0 + span } }
}

/// Gives a response's bytes to a closure.
struct CollectingWriter: ResponseBodyWriter {
  let onBytes: @Sendable ([UInt8]) -> Void

  init(_ onBytes: @escaping @Sendable ([UInt8]) -> Void) { self.onBytes = onBytes }

  mutating func write(_ buffer: ByteBuffer) async throws { onBytes(Array(buffer.readableBytesView)) }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

extension JSONValue {
  /// A member of a member, by their names; null where there is none.
  func at(_ path: String...) -> JSONValue {
    path.reduce(self) { $0.objectValue?[$1] ?? .null }
  }
}

extension HTTPFields {
  /// One field.
  static func one(_ name: String, _ value: String) -> HTTPFields {
    var fields = HTTPFields()
    fields[named: name] = value
    return fields
  }
}
