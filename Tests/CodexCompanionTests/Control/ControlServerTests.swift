import Glibc
import Logging
import Testing

@testable import CodexCompanion

@Suite(.timeLimit(.minutes(10))) struct ControlServerTests {
  private struct Prompt: ControlResponder {
    func answer(_ command: ControlCommand) async -> ControlReply {
      .devices([Device(id: "d1", name: "phone", pairedAt: 1)])
    }
  }

  /// Tells of each command, and answers none before it is let.
  private final class Held: ControlResponder {
    let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let gate: AsyncStream<Never>
    private let opening: AsyncStream<Never>.Continuation

    init() {
      (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
      (gate, opening) = AsyncStream.makeStream(of: Never.self)
    }

    func open() { opening.finish() }

    func answer(_ command: ControlCommand) async -> ControlReply {
      arrival.yield()
      for await _ in gate {}
      return .done
    }
  }

  private let folder: TemporaryFolder
  private var path: String { folder.file("control.sock") }

  init() throws { folder = try TemporaryFolder() }

  private func server(
    _ limits: ControlLimits = ControlLimits(), _ responder: any ControlResponder = Prompt()
  ) -> ControlServer {
    ControlServer(path: path, limits: limits, logger: Logger(label: "test"), responder: responder)
  }

  private func code<Value>(_ body: () async throws -> Value) async throws -> ControlError.Code {
    try await #require(throws: ControlError.self) { _ = try await body() }.code
  }

  @Test func aCommandIsAnsweredOverASocketOfOnesOwn() async throws {
    let server = server()
    try await server.start()
    #expect(try folder.mode("control.sock") == 0o600)
    let reply = try await ControlClient(path: path).ask(.devices)
    #expect(reply == .devices([Device(id: "d1", name: "phone", pairedAt: 1)]))
    await server.shutdown()
    #expect(access(path, F_OK) != 0)
    #expect(try await code { try await ControlClient(path: path).ask(.devices) } == .notRunning)
  }

  @Test func theSecondCompanionLearnsOfTheFirst() async throws {
    let first = server()
    try await first.start()
    #expect(try await code { try await server().start() } == .alreadyRunning)
    #expect(try await code { try await first.start() } == .state)
    #expect(try await ControlClient(path: path).ask(.devices) != .done)
    await first.shutdown()
    await first.shutdown()
  }

  @Test func theSocketOfAKilledCompanionGivesWay() async throws {
    let descriptor = try #require(UnixSocket.bound(to: path))
    close(descriptor)
    #expect(try await code { try await ControlClient(path: path).ask(.devices) } == .notRunning)
    let server = server()
    try await server.start()
    _ = try await ControlClient(path: path).ask(.devices)
    await server.shutdown()
  }

  /// Commands that run take all places; ten thousand connections more are closed at once, and nothing of them stays.
  @Test func tenThousandConnections() async throws {
    var limits = ControlLimits()
    limits.answerTime = .seconds(3_600)
    let held = Held()
    let server = server(limits, held)
    try await server.start()
    let client = ControlClient(path: path, limits: limits)
    let running = (0..<limits.connections).map { _ in Task { try await client.ask(.devices) } }
    var arrivals = held.arrivals.makeAsyncIterator()
    for _ in running { _ = await arrivals.next() }
    var closed = 0
    for _ in 0..<10_000 {
      guard let descriptor = UnixSocket.connected(to: path) else { continue }
      var byte: UInt8 = 0
      // Nothing to read, and no more waiting: the server has closed it.
      if read(descriptor, &byte, 1) == 0 || errno == ECONNRESET { closed += 1 }
      close(descriptor)
    }
    #expect(closed == 10_000)
    #expect(try await code { try await client.ask(.devices) } == .connection)
    held.open()
    for task in running { #expect(try await task.value == .done) }
    // The server notices in its own time that they went.
    var reply: ControlReply?
    while reply == nil { reply = try? await client.ask(.devices) }
    #expect(reply == .done)
    await server.shutdown()
  }

  @Test func aClientDoesNotWaitForEver() async throws {
    let listener = try #require(UnixSocket.bound(to: path))
    defer { close(listener) }
    #expect(listen(listener, 1) == 0)
    var limits = ControlLimits()
    (limits.commandTime, limits.answerTime, limits.replyTime) = (.milliseconds(1), .milliseconds(1), .milliseconds(1))
    #expect(try await code { try await ControlClient(path: path, limits: limits).ask(.devices) } == .timedOut)
  }
}
