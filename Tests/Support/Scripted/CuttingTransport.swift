package import HTTPTypes
package import StreamTransport
import Synchronization

/// A transport whose event streams are cut after so many bytes, gracefully or torn; everything else passes.
package final class CuttingTransport: HTTPTransport {
  package struct Cut: Sendable {
    package var afterBytes: Int
    /// Whether the stream ends as if the server had ended it.
    package var isClean: Bool

    package init(afterBytes: Int, isClean: Bool) {
      self.afterBytes = afterBytes
      self.isClean = isClean
    }
  }

  private let inner: any HTTPTransport
  private let cuts: Mutex<[Cut]>

  /// - Parameter cuts: one for each event stream, in order; streams after the last one pass whole.
  package init(_ inner: any HTTPTransport, cuts: [Cut]) {
    self.inner = inner
    self.cuts = Mutex(cuts.reversed())
  }

  package var remainingCuts: Int { cuts.withLock { $0.count } }

  package var origin: Origin { inner.origin }
  package func connect() async throws -> ConnectionInfo { try await inner.connect() }
  package func snapshot() async -> ConnectionSnapshot? { await inner.snapshot() }

  /// Leaves the inner transport open, which other conversations share.
  package func close() async {}

  package func send(_ request: HTTPRequest, body: RequestBody) async throws -> TransportResponse {
    var response = try await inner.send(request, body: body)
    let type = response.head.headerFields[.contentType] ?? ""
    guard type.hasPrefix("text/event-stream"), let cut = cuts.withLock({ $0.popLast() }) else { return response }
    response.body = Self.cut(response.body, cut)
    return response
  }

  private static func cut(_ body: ResponseBody, _ cut: Cut) -> ResponseBody {
    let channel = BodyChannel(onCancel: { body.cancel() })
    Task {
      var left = cut.afterBytes
      do {
        for try await chunk in body {
          channel.yield(Array(chunk.prefix(left)))
          left -= min(left, chunk.count)
          if left == 0 { break }
        }
        channel.finish(
          throwing: left > 0 || cut.isClean
            ? nil : TransportError(.connectionLost, "The test cut the stream."))
      } catch {
        channel.finish(throwing: error)
      }
      body.cancel()
    }
    return ResponseBody(channel)
  }
}
