import HTTP3Engine
import Logging
import Synchronization

/// What a connection tells of its path.
package enum PathNews: Hashable, Sendable {
  /// What was sent is not acknowledged: the path may carry nothing any more.
  case suspect
  /// It answers after all.
  case answers
  /// It was silent until the connection ended.
  case gone
}

extension HTTP3ClientConnection {
  /// Whether the path is silent though an answer is due.
  var isSuspect: Bool { failure == nil && engine.isPathSuspect }

  func updateAttention() {
    engine.setAttentive(isAttentive || !awaited.isEmpty)
  }

  func setAttentive(_ isAttentive: Bool) {
    guard failure == nil, isAttentive != self.isAttentive else { return }
    self.isAttentive = isAttentive
    pass()
  }

  /// New requests go elsewhere until the path answers.
  func pathIsSuspect() {
    isUsable.store(false, ordering: .relaxed)
    logger.debug("path is silent", metadata: ["remote": "\(remote)"])
    // Nobody waits for a connection that only lies ready: the next request looks for another one.
    if !streams.isEmpty { watch(self, .suspect) }
  }

  func pathAnswers() {
    if !isGoingAway { isUsable.store(true, ordering: .relaxed) }
    logger.debug("path answers again", metadata: ["remote": "\(remote)"])
    endRecovery(.success(()))
    watch(self, .answers)
  }

  /// The server may have given the connection up meanwhile, and the network may be another: it is asked at once.
  func machineWasSuspended(for duration: Duration) {
    guard info != nil, failure == nil else { return }
    logger.debug("machine was suspended", metadata: ["seconds": "\(duration.components.seconds)"])
    engine.probePath(at: loop.now)
    pass()
  }

  /// Returns when a suspect path answers. Throws the connection's end, or `CancellationError`.
  func recovery() async throws {
    if let failure { throw failure }
    guard isSuspect else { return }
    let waiter = OneShot<Void>()
    recoveries.append(waiter)
    defer { recoveries.removeAll { $0 === waiter } }
    try await waiter.value()
  }

  /// Ends this connection if its path is still silent, since `other` has taken its place.
  func leaveSilentPath(for other: String) {
    guard isSuspect else { return }
    close(Self.superseded(by: other))
  }

  static func superseded(by other: String) -> TransportError {
    TransportError(.superseded, "Nothing came over the connection any more; \(other) has taken its place.")
  }

  func endRecovery(_ result: Result<Void, any Error>) {
    let waiting = recoveries
    recoveries = []
    for waiter in waiting { waiter.answer(result) }
  }
}
