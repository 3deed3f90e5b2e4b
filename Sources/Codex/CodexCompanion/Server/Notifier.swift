import HTTPTypes
import Logging
import StreamTransport

/// Notifies a web address that a question waits, in the form of ntfy and its like: a POST with a sentence.
///
/// The sentence names the kind of question and the chat, never what is asked: it passes a third party's server.
final class Notifier: Sendable {
  private let transport: any HTTPTransport
  private let path: String
  private let logger: Logger
  private let sentences: AsyncStream<String>.Continuation
  private let sending: Task<Void, Never>

  init(_ origin: Origin, path: String, logger: Logger) {
    let transport = HTTP1Transport(
      origin: origin, tls: TLSOptions(), allowsPlaintext: origin.scheme == .http, logger: logger)
    self.transport = transport
    self.path = path
    self.logger = logger
    // A notice that is not sent by then is out of date.
    let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(16))
    sentences = continuation
    sending = Task {
      for await sentence in stream { await Self.send(sentence, over: transport, path, logger) }
    }
  }

  func notify(_ request: ApprovalRequest) {
    sentences.yield("Codex waits for an answer: \(request.title), chat \(request.chatID).")
  }

  func close() async {
    sentences.finish()
    sending.cancel()
    await transport.close()
  }

  private static func send(
    _ sentence: String, over transport: any HTTPTransport, _ path: String, _ logger: Logger
  ) async {
    let origin = transport.origin
    var request = HTTPRequest(method: .post, scheme: origin.scheme.rawValue, authority: origin.authority, path: path)
    request.headerFields[.contentType] = "text/plain; charset=utf-8"
    let alarm = Task {
      try await Task.sleep(for: .seconds(10))
      await transport.close()
    }
    defer { alarm.cancel() }
    do {
      let response = try await transport.send(request, body: .bytes(Array(sentence.utf8)))
      _ = try await response.body.collect(upTo: 64 << 10)
      if response.head.status.kind != .successful {
        logger.warning("the notification was refused with \(response.head.status.code)")
      }
    } catch {
      logger.warning("the notification did not arrive: \(error)")
    }
  }
}
