import HTTPTypes
import Hummingbird
import Synchronization

/// Breaks the first response of stream 0 after some writes, as a server does that is killed.
final class CuttingResponder<Inner: HTTPResponder>: HTTPResponder {
  private struct Cut: Error {}

  private let inner: Inner
  private let cutAfter: Mutex<Int?>

  init(inner: Inner, cutAfter: Int?) {
    self.inner = inner
    self.cutAfter = Mutex(cutAfter)
  }

  func respond(to request: Request, context: Inner.Context) async throws -> Response {
    var response = try await inner.respond(to: request, context: context)
    guard request.uri.path.hasSuffix("/stream/0"), let writes = cutAfter.withLock({ $0.take() }) else {
      return response
    }
    let body = response.body
    response.body = ResponseBody { writer in
      try await body.write(CuttingWriter(inner: writer, left: writes))
    }
    return response
  }

  private struct CuttingWriter: ResponseBodyWriter {
    var inner: any ResponseBodyWriter
    var left: Int

    mutating func write(_ buffer: ByteBuffer) async throws {
      guard left > 0 else { throw Cut() }
      left -= 1
      try await inner.write(buffer)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
      try await inner.finish(trailingHeaders)
    }
  }
}
