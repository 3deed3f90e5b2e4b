/// A client of one HTTP version, as a run sees it.
protocol StreamClient: Sendable {
  /// Does what has to be done before the run begins.
  func prepare() async

  /// Makes the first connection where the client separates that from a request; returns the end of its handshake.
  func connect() async -> Int64?

  /// Follows one stream to its end, through breaks, and reports to the recorder. Throws ``StreamClientError`` where
  /// continuing is of no use, or `CancellationError`.
  func follow(_ stream: Int, from start: Int64, _ recorder: RunRecorder) async throws

  /// Downloads `count` bytes; `onBytes` is called with each piece's size. Throws as ``follow(_:from:_:)``.
  func download(_ count: Int, onBytes: @Sendable (Int) -> Void) async throws

  /// The facts known so far.
  var facts: StreamClientFacts { get }

  /// Closes all connections.
  func close() async
}

extension StreamClient {
  func prepare() async {}
}
