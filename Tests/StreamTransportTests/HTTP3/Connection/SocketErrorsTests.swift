import Foundation
import HTTP3Engine
import Testing

@testable import StreamTransport

@Suite struct SocketErrorsTests {
  private let errors = SocketErrors()

  private func judge(
    _ errors: inout SocketErrors, _ number: CInt, isEstablished: Bool = true, isOnCurrentPath: Bool = true
  ) -> SocketErrors.Verdict {
    errors.judge(
      SystemError("sendmsg", number: number), sendingTo: .loopback(port: 443), isEstablished: isEstablished,
      isOnCurrentPath: isOnCurrentPath)
  }

  private func code(_ verdict: SocketErrors.Verdict) -> TransportError.Code? {
    if case .end(let reason) = verdict { reason.code } else { nil }
  }

  private func isIgnored(_ verdict: SocketErrors.Verdict) -> Bool {
    if case .ignore = verdict { true } else { false }
  }

  private func hintsAtNetwork(_ verdict: SocketErrors.Verdict) -> Bool {
    if case .suspectNetworkChange = verdict { true } else { false }
  }

  @Test(arguments: [
    (ECONNREFUSED, TransportError.Code.connectionRefused), (EPERM, .connectionRefused), (ENETUNREACH, .unreachable),
    (EIO, .unreachable),
  ])
  func whileConnectingEveryErrorIsTheEnd(number: CInt, expected: TransportError.Code) {
    var errors = errors
    #expect(code(judge(&errors, number, isEstablished: false)) == expected)
  }

  @Test(arguments: [ENETUNREACH, ENETDOWN, EHOSTUNREACH, EADDRNOTAVAIL, ENODEV, EINVAL])
  func anErrorOfThisMachinesNetworkIsAHint(number: CInt) {
    var errors = errors
    #expect(hintsAtNetwork(judge(&errors, number)), "It says more of the network.")
  }

  @Test(arguments: [EIO, ENOBUFS, EPERM]) func anotherErrorIsARumour(number: CInt) {
    var errors = errors
    for _ in 0..<10 { #expect(isIgnored(judge(&errors, number)), "QUIC's own time-outs decide.") }
  }

  @Test func refusalsEndAConnectionOnlyInARow() {
    var errors = errors
    for _ in 1..<SocketErrors.refusalLimit { #expect(code(judge(&errors, ECONNREFUSED)) == nil) }
    errors.received()
    for _ in 1..<SocketErrors.refusalLimit { #expect(code(judge(&errors, ECONNREFUSED)) == nil) }
    #expect(code(judge(&errors, ECONNREFUSED)) == .connectionLost)
  }

  @Test func aRefusalOnAnotherPathDoesNotCount() {
    var errors = errors
    for _ in 0..<10 { #expect(code(judge(&errors, ECONNREFUSED, isOnCurrentPath: false)) == nil) }
    #expect(code(judge(&errors, ECONNREFUSED)) == nil)
  }
}
