import HTTPTypes
import Logging
import StreamTransport
import Synchronization
import TestSupport
import Testing

@testable import sse_contract_service

@Suite(.timeLimit(.minutes(10))) struct ContractStreamTests {
  private static let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"])

  /// The reports, with their numbers.
  private final class Recorder: Sendable {
    private let messages = Mutex<[(number: Int, message: CallbackMessage)]>([])

    func add(_ message: CallbackMessage, _ number: Int) { messages.withLock { $0.append((number, message)) } }
    var numbers: [Int] { messages.withLock { $0.map(\.number) } }
    var all: [CallbackMessage] { messages.withLock { $0.map(\.message) } }
  }

  private func stream(
    over transport: ScriptedTransport, deliver: @escaping ContractStream.Deliver
  ) -> ContractStream {
    let parameters = StreamParameters(
      origin: transport.origin, path: "/stream", callbackURL: "http://callback.test/1", initialDelay: .zero)
    return ContractStream(
      parameters, over: transport, clock: TransportClock(InstantClock()),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, deliver: deliver)
  }

  private func bytes(_ text: String) -> ScriptedTransport.Step { .bytes(Array(text.utf8)) }

  @Test func messagesAreNumberedInTheStreamsOrderOverAllItsConnections() async {
    let transport = ScriptedTransport { received in
      switch received.number {
      case 1:
        .response(
          Self.head, [bytes(":hello\n\nid: 1\ndata: a\n\nid: 2\n\n"), .cut(TransportError(.connectionLost, "cut"))])
      case 2: .response(Self.head, [bytes("event: e\ndata: b\n\n"), .end])
      default: .response(HTTPResponse(status: .noContent), [.end])
      }
    }
    let reported = Recorder()
    await stream(over: transport) { reported.add($0, $1) }.end()
    #expect(
      reported.all == [
        .comment("hello"), .event(type: "message", data: "a", id: "1"), .error("cut"),
        .event(type: "e", data: "b", id: "2"),
      ])
    #expect(reported.numbers == [1, 2, 3, 4])
    let name = HTTPField.Name("last-event-id")
    #expect(transport.requests.map { $0.request.headerFields[values: name ?? .accept] } == [[], ["2"], ["2"]])
  }

  @Test func whatEndsTheClientIsReportedAsAnError() async {
    let transport = ScriptedTransport { _ in
      .response(HTTPResponse(status: .movedPermanently, headerFields: [.location: ""]), [.end])
    }
    let reported = Recorder()
    await stream(over: transport) { reported.add($0, $1) }.end()
    #expect(reported.all.count == 1)
    guard case .error? = reported.all.first else { return #expect(Bool(false), "no error was reported") }
    #expect(transport.requests.count == 1)
  }

  @Test func aCallbackThatIsNotTakenEndsTheStream() async {
    struct Refused: Error {}
    let transport = ScriptedTransport { _ in .response(Self.head, [bytes("data: a\n\ndata: b\n\n")]) }
    let reported = Recorder()
    await stream(over: transport) {
      reported.add($0, $1)
      throw Refused()
    }.end()
    #expect(reported.numbers == [1])
  }

  /// The clock stands still: nothing but the restart ends the wait.
  @Test func aRestartEndsTheWaitForTheNextAttempt() async {
    let transport = ScriptedTransport { received in
      switch received.number {
      case 1: .response(HTTPResponse(status: .serviceUnavailable, headerFields: [.retryAfter: "60"]), [.end])
      case 2: .response(Self.head, [bytes("id: 1\ndata: a\n\n")])
      default: .response(HTTPResponse(status: .noContent), [.end])
      }
    }
    let reported = Recorder()
    let failed = Gate()
    let heard = Gate()
    let parameters = StreamParameters(origin: transport.origin, path: "/stream", callbackURL: "http://callback.test/1")
    let stream = ContractStream(
      parameters, over: transport, clock: TransportClock(ManualClock()),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) { message, number in
      reported.add(message, number)
      switch message {
      case .error: failed.open()
      case .event: heard.open()
      case .comment: break
      }
    }
    await failed.wait()
    await stream.restart()
    await heard.wait()
    // An open stream is left for a new one, which is no error.
    await stream.restart()
    await stream.end()
    #expect(transport.requests.count == 3)
    #expect(reported.all.count == 2 && reported.all.last == .event(type: "message", data: "a", id: "1"))
  }

  @Test func closingEndsAStreamThatSaysNothing() async {
    let opened = Gate()
    let transport = ScriptedTransport { _ in
      opened.open()
      return .response(Self.head, [])
    }
    let reported = Recorder()
    let stream = stream(over: transport) { reported.add($0, $1) }
    await opened.wait()
    await stream.close()
    #expect(reported.all.isEmpty)
    #expect(transport.requests.count == 1)
  }
}
