import Foundation
import Logging
import Processes
import TestSupport
import Testing

@testable import ServerProgram

/// What a service manager is told by a server.
@Suite(.timeLimit(.minutes(5)))
struct SupervisionTests {
  private let address = "@agent-stream-\(UUID().uuidString)"
  private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  private func supervision(_ variables: [String: String] = [:]) throws -> Supervision {
    let variables = variables.merging(["NOTIFY_SOCKET": address]) { own, _ in own }
    return try Supervision(ServiceEnvironment(variables, process: 1), logger)
  }

  /// A reload before the server listens says nothing: its end would be taken for the start's.
  @Test func statesAreToldInTheirOrder() async throws {
    let manager = try #require(NoticeSocket(address))
    let supervision = try supervision()
    #expect(supervision.isTold && supervision.sockets == nil)
    #expect(supervision.address(instead: "127.0.0.1") == "127.0.0.1")
    await supervision.reload {}
    supervision.ready("listening on https://localhost:8443")
    #expect(await manager.next() == "READY=1\nSTATUS=listening on https://localhost:8443")
    let before = ServiceNotices.microseconds
    await supervision.reload {
      let notice = await manager.next() ?? ""
      let since = notice.split(separator: "\n").dropFirst().first?.split(separator: "=").last.flatMap { UInt64($0) }
      #expect(notice.hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
      #expect((before...ServiceNotices.microseconds).contains(since ?? 0))
    }
    #expect(await manager.next()?.hasPrefix("READY=1\n") == true)
    supervision.stopping()
    #expect(await manager.next()?.hasPrefix("STOPPING=1\n") == true)
  }

  @Test func aWatchdogGetsSignsOfLife() async throws {
    let manager = try #require(NoticeSocket(address))
    let watch = try #require(try supervision(["WATCHDOG_USEC": "20000"]).watch())
    for _ in 0..<3 { #expect(await manager.next() == "WATCHDOG=1") }
    watch.cancel()
    await watch.value
    #expect(try supervision().watch() == nil)
  }

  /// A server serves all the same; its log says what is wrong.
  @Test func aManagerThatDoesNotListenStopsNothing() async throws {
    let supervision = try supervision()
    supervision.ready("listening")
    await supervision.reload {}
    supervision.stopping()
    let alone = try Supervision(ServiceEnvironment([:], process: 1), logger)
    #expect(!alone.isTold && alone.watch() == nil)
    alone.ready("listening")
  }
}
