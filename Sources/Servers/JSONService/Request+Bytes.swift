import HTTPTypes
package import Hummingbird
import NIOCore

extension Request {
  /// The whole body; nil where it is larger than `limit` bytes, which is known before it was read where the client says so.
  ///
  /// Throws `HTTPError` with 503 where too much is held of all bodies, and `CancellationError` where the client left before the
  /// body's end.
  package func bytes(upTo limit: Int, of budget: BodyBudget = .shared) async throws -> [UInt8]? {
    if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit { return nil }
    let share = budget.share()
    var bytes: [UInt8] = []
    var parts = body.makeAsyncIterator()
    while let part = try await Self.next(&parts) {
      guard part.readableBytes <= limit - bytes.count else { return nil }
      guard share.grow(by: part.readableBytes) else {
        throw HTTPError(.serviceUnavailable)
      }
      bytes += part.readableBytesView
    }
    return bytes
  }

  /// The same, within a time. A client that sends a byte now and then would hold what has come of its body for as long as it
  /// likes. Throws `HTTPError` with 408 as well.
  package func bytes(
    upTo limit: Int, within time: Duration, of budget: BodyBudget = .shared,
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> [UInt8]? {
    try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
      group.addTask { try await bytes(upTo: limit, of: budget) }
      group.addTask {
        try await clock.sleep(for: time)
        throw HTTPError(.requestTimeout)
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  /// A body that breaks off is its client's doing, however each protocol says so.
  private static func next(_ parts: inout RequestBody.AsyncIterator) async throws(CancellationError) -> ByteBuffer? {
    do { return try await parts.next() } catch { throw CancellationError() }
  }
}
