import Synchronization

extension HTTP3Transport {
  /// Runs `body` on the thread that receives this transport's datagrams.
  ///
  /// A task elsewhere is woken for each event, and while a body flows every half millisecond, by a switch of threads that
  /// costs more than the bytes; here it continues where they arrive, which is the fastest way to read. In return `body` must
  /// not block or compute for long: nothing is received, acknowledged or sent meanwhile, on this connection and on others.
  /// Throws what `body` throws, and ``TransportError`` where no thread could be started.
  public func onReceivingThread<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async throws -> Value {
    try await withTaskExecutorPreference(LoopTaskExecutor(try loop())) { try await body() }
  }

  /// The loop of all of this transport's connections, chosen with the first.
  package func loop() throws(TransportError) -> EventLoop {
    switch EventLoopGroup.shared {
    case .success(let group):
      return pinnedLoop.withLock { pinned in
        let loop = pinned ?? group.nextLoop()
        pinned = loop
        return loop
      }
    case .failure(let error):
      throw TransportError(.limitExceeded, "No event loop could be started: \(error)", cause: error)
    }
  }
}
