import HTTP3Engine
import Logging
import Synchronization

// Whether the path answers, and when the connection goes over to another of this machine's addresses.
extension HTTP3ClientConnection {
  /// Whether the path is silent though an answer is due.
  var isSuspect: Bool { isLive && engine.isPathSuspect }

  func setResponseExpected(_ isExpected: Bool) {
    guard isLive, streams.setCallerExpectation(isExpected) else { return }
    pass()
  }

  /// New requests go elsewhere until the path answers.
  func pathIsSuspect() {
    isUsable.store(false, ordering: .relaxed)
    logger.debug("path is silent", metadata: ["remote": "\(life.remote)"])
    // A connection without requests needs no replacement: the next request looks for another one.
    if !streams.isEmpty { watch(self, .suspect) }
  }

  func pathAnswers() {
    isUsable.store(life.takesRequests, ordering: .relaxed)
    logger.debug("path answers again", metadata: ["remote": "\(life.remote)"])
    waiters.pathAnswered()
    watch(self, .answers)
  }

  /// The server may have given the connection up meanwhile, and the network may be another: both are probed at once.
  func machineWasSuspended(for duration: Duration) {
    guard isLive, info != nil else { return }
    logger.debug("machine was suspended", metadata: ["seconds": "\(duration.components.seconds)"])
    engine.probePath(at: loop.now)
    pass()
  }

  /// Returns when a suspect path answers. Throws the connection's end, or `CancellationError`.
  func recovery() async throws {
    if let failure { throw failure }
    guard isSuspect else { return }
    let waiter = waiters.awaitRecovery()
    defer { waiters.remove(waiter) }
    try await waiter.value()
  }

  /// Returns when another connection serves better. Throws this one's end, or `CancellationError`.
  func departure() async throws -> ConnectionWaiters.Departure {
    if let failure { throw failure }
    if life.isLeaving { return .retirement }
    if isSuspect, configuration.replacesSilentConnections { return .silence }
    let waiter = waiters.awaitDeparture()
    defer { waiters.remove(waiter) }
    return try await waiter.value()
  }

  /// Ends this connection if its path is still silent, since `other` has taken its place.
  func leaveSilentPath(for other: String) {
    guard isSuspect else { return }
    close(.superseded(by: other))
  }

  func networkChanged() {
    guard isLive, info != nil else { return }
    if paths.followNetwork() { pass() }
  }
}
