import Testing

@testable import HTTP3Engine

/// A connection's end by its library's reports (RFC 9000 § 10).
@Suite struct ConnectionEndTests {
  /// The parts of an end that a peer or the owner sees.
  private struct Seen: Equatable {
    enum Way: Equatable {
      case drains
      case leaves(isRetryDue: Bool)
      case closes(CloseFrame)
    }
    var way: Way
    var code: HTTP3Error.Code
    var side: HTTP3Error.Side

    init(_ end: ConnectionEnd) {
      let error: HTTP3Error
      switch end {
      case .drain(let reason): (way, error) = (.drains, reason)
      case .leave(let reason, let isRetryDue): (way, error) = (.leaves(isRetryDue: isRetryDue), reason)
      case .close(let reason, let frame): (way, error) = (.closes(frame), reason)
      }
      code = error.code
      side = error.side
    }

    init(_ way: Way, _ code: HTTP3Error.Code, _ side: HTTP3Error.Side = .local) {
      self.way = way
      self.code = code
      self.side = side
    }
  }

  private func end(_ failure: LibraryFailure, cause: HTTP3Error? = nil, peer: PeerClose? = nil) -> Seen {
    Seen(ConnectionEnd(failure, cause: cause, peer: peer))
  }

  @Test func thePeersReasonIsTheOneThatCounts() {
    let close = PeerClose(isApplication: true, code: 0x100, reason: "Bye")
    #expect(end(.closedByPeer, peer: close) == Seen(.drains, .application(.noError), .remote))
    #expect(end(.closedByPeer) == Seen(.drains, .connectionClosed, .remote))
    // A stateless reset is noted inside the call.
    let reset = HTTP3Error(.statelessReset, side: .remote, "")
    #expect(end(.closedByPeer, cause: reset) == Seen(.drains, .statelessReset, .remote))
  }

  @Test func nothingIsSaidWhereNobodyListens() {
    #expect(end(.dropped(isRetryDue: true)) == Seen(.leaves(isRetryDue: true), .connectionClosed))
    #expect(end(.dropped(isRetryDue: false)) == Seen(.leaves(isRetryDue: false), .connectionClosed))
    #expect(end(.idle) == Seen(.leaves(isRetryDue: false), .idleTimeout))
    #expect(Seen(.silence) == end(.idle))
    #expect(end(.handshakeTimeout) == Seen(.leaves(isRetryDue: false), .handshakeTimeout))
    #expect(end(.versionNegotiation) == Seen(.leaves(isRetryDue: false), .versionNegotiationFailed, .remote))
  }

  @Test func anAlertOfOursGoesBeforeTheLibrarys() {
    #expect(end(.tls(alert: 40)) == Seen(.closes(.tlsAlert(40)), .tlsAlert(40)))
    let own = HTTP3Error(.tlsAlert(120), "")
    #expect(end(.tls(alert: 40), cause: own) == Seen(.closes(.tlsAlert(120)), .tlsAlert(120)))
    // The certificate's fault is the owner's to know, and the library's alert the peer's.
    let rejected = HTTP3Error(.certificateRejected, "")
    #expect(end(.tls(alert: 42), cause: rejected) == Seen(.closes(.tlsAlert(42)), .certificateRejected))
  }

  @Test(arguments: [
    (HTTP3Error.Code.transport(.protocolViolation), CloseFrame.transport(.protocolViolation)),
    (.tlsAlert(10), .tlsAlert(10)), (.application(.idError), .application(.idError)),
    (.internal, .application(.internalError)),
  ])
  func whatWeRefuseIsReportedByItsCode(_ code: HTTP3Error.Code, _ frame: CloseFrame) {
    #expect(end(.refused, cause: HTTP3Error(code, "a secret")) == Seen(.closes(frame), code))
  }

  @Test func aRefusalWithoutAReasonIsOurFault() {
    #expect(end(.refused) == Seen(.closes(.transport(.internalError)), .transport(.internalError)))
  }

  @Test func anyOtherFailureIsTheLibrarysToName() {
    let failure = LibraryFailure.other(QUICErrorCode(rawValue: 0x03), code: -219, message: "too much")
    #expect(end(failure) == Seen(.closes(.library(code: -219)), .transport(QUICErrorCode(rawValue: 0x03))))
  }

  @Test func aPeersCloseIsReadByItsKind() {
    #expect(PeerClose(isApplication: true, code: 0x10c, reason: "").error.code == .application(.requestCancelled))
    #expect(PeerClose(isApplication: false, code: 0x0a, reason: "").error.code == .transport(.protocolViolation))
    #expect(PeerClose(isApplication: false, code: 0x128, reason: "").error.code == .tlsAlert(0x28))
    let said = PeerClose(isApplication: false, code: 0x200, reason: "so").error
    #expect(said.code == .transport(QUICErrorCode(rawValue: 0x200)) && said.message.hasSuffix(": so"))
  }
}
