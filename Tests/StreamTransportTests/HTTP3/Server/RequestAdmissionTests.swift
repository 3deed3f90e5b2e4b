import HTTP3Engine
import HTTPTypes
import Testing

@testable import StreamTransport

@Suite struct RequestAdmissionTests {
  private func fields(_ method: String, authority: String = "example.org") -> [HeaderField] {
    [
      HeaderField(":method", method), HeaderField(":scheme", "https"), HeaderField(":authority", authority),
      HeaderField(":path", "/"),
    ]
  }

  private let admission = RequestAdmission(targets: TargetRules(authorities: ["example.org"]), maximumRequests: 2)

  private enum Answer: Equatable { case serve, status(Int), code(ApplicationErrorCode) }

  private func answer(_ fields: [HeaderField], isEarly: Bool = false, handlers: Int = 0) -> Answer {
    switch admission.decision(on: fields, isEarly: isEarly, handlers: handlers) {
    case .serve: .serve
    case .answer(_, let status): .status(status)
    case .giveUp(let code): .code(code)
    }
  }

  @Test func aRequestForThisServerIsServed() { #expect(answer(fields("POST")) == .serve) }

  @Test func fieldsThatAreNoRequestAreAMessageError() {
    #expect(answer([HeaderField(":path", "/")]) == .code(.messageError))
  }

  @Test func anotherServersRequestIsMisdirected() {
    #expect(answer(fields("GET", authority: "other.example")) == .status(421))
  }

  @Test func earlyDataIsServedWhereItIsSafeAlone() {
    #expect(answer(fields("GET"), isEarly: true) == .serve)
    #expect(answer(fields("POST"), isEarly: true) == .status(425))
  }

  @Test func handlersOfOneConnectionAreLimited() {
    #expect(answer(fields("GET"), handlers: 3) == .serve)
    #expect(answer(fields("GET"), handlers: 4) == .code(.excessiveLoad))
  }

  @Test func withoutTargetsEveryAuthorityIsServed() {
    let any = RequestAdmission(targets: nil, maximumRequests: 0)
    guard case .serve = any.decision(on: fields("GET", authority: "other.example"), isEarly: false, handlers: 1) else {
      return #expect(Bool(false), "it is not served")
    }
    // One request at least, and twice as many handlers.
    #expect(any.decision(on: fields("GET"), isEarly: false, handlers: 2) == .giveUp(.excessiveLoad))
  }
}
