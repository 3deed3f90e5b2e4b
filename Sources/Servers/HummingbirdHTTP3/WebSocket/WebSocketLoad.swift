import HTTPTypes
import StreamTransport
import Synchronization

/// Counts the WebSockets that are held, in sum and by where their clients come from.
final class WebSocketLoad: Sendable {
  private struct Held {
    var total = 0
    var byPrefix: [SourcePrefix?: Int] = [:]
  }

  private let limits: WebSocketLimits
  private let held = Mutex(Held())

  init(_ limits: WebSocketLimits) {
    self.limits = limits
  }

  /// Takes a place for as long as `body` runs; throws where there is none.
  func holdingPlace<Result>(
    from prefix: SourcePrefix?, _ body: () async throws -> Result
  ) async throws -> Result {
    try enter(from: prefix)
    defer { leave(from: prefix) }
    return try await body()
  }

  private func enter(from prefix: SourcePrefix?) throws {
    try held.withLock { held in
      let own = held.byPrefix[prefix, default: 0]
      guard held.total < limits.maximumConnections, own < limits.maximumConnectionsPerPrefix else {
        throw WebSocketRefusal(
          .serviceUnavailable, "There are too many WebSockets; try again later.", [.retryAfter: "10"])
      }
      held.total += 1
      held.byPrefix[prefix] = own + 1
    }
  }

  private func leave(from prefix: SourcePrefix?) {
    held.withLock { held in
      held.total -= 1
      let own = held.byPrefix[prefix, default: 1] - 1
      held.byPrefix[prefix] = own > 0 ? own : nil
    }
  }
}
