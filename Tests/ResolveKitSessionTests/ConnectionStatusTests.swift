import ResolveKitCore
import StreamTransport
import Testing

@testable import ResolveKitSession

struct ConnectionStatusTests {
  private func connection(_ transport: TransportKind, reason: String? = nil) -> ConnectionInfo {
    ConnectionInfo(
      transport: transport, cipher: nil, remoteAddress: "192.0.2.1:443", handshake: .zero, reason: reason)
  }

  @Test func theReasonForHTTP1IsReportedWhereThereIsNoOther() {
    var status = ConnectionStatus()
    status.take(connection(.http1, reason: "no UDP"))
    let quiet = status.change(to: .active, attempt: 0, reason: nil)
    #expect(quiet.reason == "no UDP" && quiet.transport == .http1)
    let lost = status.change(to: .reconnecting, attempt: 1, reason: "reset")
    #expect(lost.reason == "reset")
    status.take(connection(.http3))
    let back = status.change(to: .reconnected, attempt: 0, reason: nil)
    #expect(back.reason == nil && back.transport == .http3)
  }

  @Test func theTimeUntilTheNextTryIsReportedWhileATryComes() {
    var status = ConnectionStatus()
    _ = status.change(to: .reconnecting, attempt: 2, reason: "reset")
    let update = status.waiting(.seconds(4))
    #expect(update?.nextTry == .seconds(4) && update?.attempt == 2)
    _ = status.change(to: .failed, attempt: 0, reason: "reset")
    #expect(status.waiting(.seconds(4)) == nil)
  }

  @Test func aStreamThatRetriesByItselfNamesItsTime() {
    var status = ConnectionStatus()
    status.setNextTry(.seconds(2))
    let lost = status.change(to: .reconnecting, attempt: 1, reason: nil)
    status.setNextTry(nil)
    let trying = status.change(to: .reconnecting, attempt: 2, reason: nil)
    #expect(lost.nextTry == .seconds(2) && trying.nextTry == nil)
  }

  @Test(.timeLimit(.minutes(10))) func onlyASettledConnectionLetsAStartReturn() async {
    var status = ConnectionStatus()
    _ = status.change(to: .connecting, attempt: 0, reason: nil)
    #expect(!status.isSettled && !status.isOver)
    await withCheckedContinuation { waiter in
      status.settle(waiter)
      _ = status.change(to: .active, attempt: 0, reason: nil)
    }
    #expect(status.isSettled && !status.isOver)
    await withCheckedContinuation { status.settle($0) }
    _ = status.change(to: .blocked, attempt: 0, reason: "key")
    #expect(status.isSettled && status.isOver && status.reason == "key")
  }
}
