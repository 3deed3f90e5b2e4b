import Foundation
import Processes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ServiceNoticesTests {
  /// A path has 107 bytes at most, which those of a test's folder are far from.
  @Test(arguments: ["/tmp/agent-stream-\(UUID().uuidString)", "@agent-stream-\(UUID().uuidString)"])
  func eachNoticeIsADatagram(_ address: String) async throws {
    defer { unlink(address) }
    let manager = try #require(NoticeSocket(address))
    let notices = try #require(ServiceNotices(address))
    try notices.send(.ready("listening\non two lines"))
    #expect(await manager.next() == "READY=1\nSTATUS=listening on two lines")
    let now = ServiceNotices.microseconds
    try notices.send(.reloading(since: now))
    #expect(await manager.next()?.hasPrefix("RELOADING=1\nMONOTONIC_USEC=\(now)\nSTATUS=") == true)
    try notices.send(.stopping)
    #expect(await manager.next()?.hasPrefix("STOPPING=1\nSTATUS=") == true)
    try notices.send(.alive)
    #expect(await manager.next() == "WATCHDOG=1")
  }

  @Test func withoutAnAddressNobodyIsTold() {
    #expect(ServiceNotices(nil) == nil)
  }

  @Test(arguments: [
    "vsock:2:9999", "relative", "@", "/", "/nowhere/at/all", "@agent-stream-nobody-listens-here",
    "/" + String(repeating: "x", count: 107), "@" + String(repeating: "x", count: 108),
  ])
  func whatCannotBeSentIsAnErrorThatNamesTheAddress(_ address: String) throws {
    let notices = try #require(ServiceNotices(address))
    let failure = #expect(throws: ServiceFailure.self) { try notices.send(.alive) }
    #expect(failure?.code == .notice)
    #expect(failure?.message.contains("'WATCHDOG=1' at NOTIFY_SOCKET (\(address))") == true)
  }
}
