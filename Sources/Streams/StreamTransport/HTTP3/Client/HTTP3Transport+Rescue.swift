import HTTP3Engine
import Synchronization

// A path that fell silent may come back or not: another connection is tried beside it, and the one that answers first
// is kept.
extension HTTP3Transport {
  /// The time after which another attempt begins beside a silent path: after a while the probes of the first are too
  /// far apart to meet the moment at which the network is back.
  static let rescueDelay = Duration.milliseconds(500)
  static let rescueAttempts = 20

  /// On the connection's loop.
  func pathChanged(_ news: PathHealth, of connection: HTTP3ClientConnection) {
    guard connection === connections.current else { return }
    if news == .suspect, configuration.replacesSilentConnections {
      Task { [weak self] in await self?.rescue(connection) }
    }
    pathWatcher.withLock { $0 }?(news)
    // Behind the watcher, whose race the requests that follow are to be part of.
    guard news == .suspect, configuration.replacesSilentConnections else { return }
    connection.onLoop { $0.waiters.depart(.silence) }
  }

  private func rescue(_ suspect: HTTP3ClientConnection) async {
    while await suspect.isSuspect, suspect === connections.current {
      do {
        _ = try await connection()
      } catch {
        // Refused at once, where there is no network at all.
        guard (try? await clock.sleep(Self.rescueDelay)) != nil else { return }
      }
    }
  }

  /// The suspect connection if it answers, else a new one, whichever is first.
  func reopen(beside suspect: HTTP3ClientConnection) async throws -> HTTP3ClientConnection {
    try await withThrowingTaskGroup(of: HTTP3ClientConnection?.self) { group in
      if configuration.replacesSilentConnections {
        group.addTask { (try? await suspect.recovery()) == nil ? nil : suspect }
        group.addTask { try await self.openCounted(attempts: Self.rescueAttempts) }
      } else {
        group.addTask {
          try await suspect.recovery()
          return suspect
        }
      }
      var winner: HTTP3ClientConnection?
      var reason: any Error = CancellationError()
      while let result = await group.nextResult() {
        switch result {
        case .success(nil): break
        case .success(let connection?) where winner == nil:
          winner = connection
          group.cancelAll()
        case .success(let late?) where late !== suspect:
          await late.close(TransportError(.cancelled, "The silent path answered."))
        case .success: break
        case .failure(let error):
          reason = error
          // Waiting for the path alone has no end of its own.
          group.cancelAll()
        }
      }
      guard let winner else { throw reason }
      return winner
    }
  }
}
