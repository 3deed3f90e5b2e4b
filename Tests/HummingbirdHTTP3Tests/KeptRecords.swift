import HummingbirdHTTP3

/// The records of an access log, in the order in which they come.
final class KeptRecords: Sendable {
  private let stream: AsyncStream<AccessRecord>
  private let sink: AsyncStream<AccessRecord>.Continuation

  init() {
    (stream, sink) = AsyncStream<AccessRecord>.makeStream()
  }

  @Sendable func append(_ record: AccessRecord) {
    sink.yield(record)
  }

  /// Waits for one more.
  func next() async -> AccessRecord? {
    var records = stream.makeAsyncIterator()
    return await records.next()
  }
}
