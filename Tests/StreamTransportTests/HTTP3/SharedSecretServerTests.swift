import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import StreamTransport

/// Servers that share the secrets of their tickets.
@Suite(.timeLimit(.minutes(10)))
struct SharedSecretServerTests {
  private let file = FileManager.default.temporaryDirectory.appending(path: "shared-\(UUID().uuidString)").path

  private func remove() {
    for suffix in ["", ".lock", ".early-data"] { try? FileManager.default.removeItem(atPath: file + suffix) }
  }

  /// How a request with a ticket of the store came to the server; returns once the store has another ticket.
  private static func ask(_ server: HTTP3TestServer, _ store: ResumptionStore) async throws -> Resumption {
    let transport = server.makeTransport(resumption: store)
    let response = try await transport.send(HTTPRequest(path: "/"))
    _ = try await response.body.collect(upTo: 0)
    await until { await store.ticketCount(transport.origin) >= 1 }
    await transport.close()
    return response.connection.resumption
  }

  /// How the second of two requests of a new client came.
  private static func askAgain(_ server: HTTP3TestServer) async throws -> Resumption {
    let store = ResumptionStore.patient
    #expect(try await ask(server, store) == .none)
    return try await ask(server, store)
  }

  private func start(_ clock: ManualClock) async throws -> HTTP3TestServer {
    try await HTTP3TestServer.start(configure: {
      $0.options.ticketSecretFile = file
      $0.clock = TransportClock(clock)
    })
  }

  /// Returns when the servers have looked at the file once more.
  private static func look(_ clock: ManualClock) async {
    await clock.waitForSleep(of: SecretKeeper.interval)
    clock.advance(by: SecretKeeper.interval)
    await clock.waitForSleep(of: SecretKeeper.interval)
  }

  @Test func oneOfTwoServersTakesEarlyDataAndTheOtherFollows() async throws {
    defer { remove() }
    let clocks = [ManualClock(), ManualClock()]
    let (first, second) = (try await start(clocks[0]), try await start(clocks[1]))
    #expect(try await Self.askAgain(first) == .earlyDataAccepted)
    #expect(try await Self.askAgain(second) == .resumed)
    await first.server.close()
    await Self.look(clocks[1])
    #expect(try await Self.askAgain(second) == .earlyDataAccepted)
    await second.server.close()
  }

  @Test func aFileThatIsReplacedIsReadAnew() async throws {
    defer { remove() }
    let clock = ManualClock()
    let server = try await start(clock)
    let store = ResumptionStore.patient
    #expect(try await Self.ask(server, store) == .none)
    #expect(try await Self.ask(server, store) == .earlyDataAccepted)
    // Without the secret before.
    await clock.waitForSleep(of: SecretKeeper.interval)
    try PrivateFile.write([UInt8](repeating: 9, count: 32), to: file)
    await Self.look(clock)
    #expect(try await Self.ask(server, store) == .earlyDataRefused)
    // One that cannot be used changes nothing.
    try PrivateFile.write([1, 2, 3], to: file)
    await Self.look(clock)
    #expect(try await Self.askAgain(server) == .earlyDataAccepted)
    await server.server.close()
  }

  @Test(arguments: [true, false])
  func givenSecretsTakeEarlyDataOnlyByChoice(_ isChosen: Bool) async throws {
    let server = try await HTTP3TestServer.start(configure: {
      $0.options.secrets = [[UInt8](repeating: 5, count: 32)]
      $0.options.takesEarlyDataUnderGivenSecrets = isChosen
    })
    let store = ResumptionStore.patient
    #expect(try await Self.ask(server, store) == .none)
    #expect(try await Self.ask(server, store) == (isChosen ? .earlyDataAccepted : .resumed))
    for bad in [[], [[UInt8]](repeating: [UInt8](repeating: 1, count: 32), count: 9), [[1, 2, 3]]] {
      await #expect(throws: TransportError.self) { try await server.server.use(secrets: bad) }
    }
    try await server.server.use(secrets: [[UInt8](repeating: 6, count: 32)])
    #expect(try await Self.ask(server, store) == (isChosen ? .earlyDataRefused : .none))
    await server.server.close()
  }

  @Test func aServerWithoutGivenSecretsTakesNone() async throws {
    let server = try await HTTP3TestServer.start()
    await #expect(throws: TransportError.self) {
      try await server.server.use(secrets: [[UInt8](repeating: 6, count: 32)])
    }
    await server.server.close()
  }
}
