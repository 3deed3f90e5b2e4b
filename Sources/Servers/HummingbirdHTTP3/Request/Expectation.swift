package import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

extension HTTPRequest {
  /// Whether the client waits for leave to send the body (RFC 9110 § 10.1.1).
  package var expectsContinue: Bool {
    headerFields[values: .expect].contains { $0.lowercased() == "100-continue" }
  }
}

/// Answers `Expect: 100-continue`: with 100 when the handler first asks for the body, and with nothing before a refusal.
final class Expectation: Sendable {
  private let isPending = Mutex(true)
  private let sendContinue: @Sendable () -> Void

  /// Nil where the client does not wait.
  ///
  /// - Parameter sendContinue: sends the interim response; responses that are sent later follow it.
  init?(of head: HTTPRequest, sendContinue: @escaping @Sendable () -> Void) {
    guard head.expectsContinue else { return nil }
    self.sendContinue = sendContinue
  }

  /// The request with a body that answers the expectation when it is first read.
  func watching(_ request: Request) -> Request {
    Request(head: request.head, body: RequestBody(asyncSequence: ExpectedBody(base: request.body, expectation: self)))
  }

  /// The handler waits for the body.
  func bodyIsWanted() {
    // Under the lock, so that no final response overtakes it.
    isPending.withLock { isPending in
      if isPending { sendContinue() }
      isPending = false
    }
  }

  /// The final response is sent next. Where it is no refusal, its handler may still read the body.
  func responseBegins(_ status: HTTPResponse.Status) {
    if status.kind == .successful { bodyIsWanted() } else { isPending.withLock { $0 = false } }
  }
}

/// A request's body whose client waits for 100 (Continue).
private struct ExpectedBody: AsyncSequence, Sendable {
  let base: RequestBody
  let expectation: Expectation

  func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), expectation: expectation)
  }

  struct Iterator: AsyncIteratorProtocol {
    var base: RequestBody.AsyncIterator
    let expectation: Expectation

    mutating func next() async throws -> ByteBuffer? {
      expectation.bodyIsWanted()
      return try await base.next()
    }
  }
}
