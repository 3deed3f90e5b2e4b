import EventStream
import HTTPTypes
import Synchronization

extension RacingTransport {
  private enum Step: Sendable {
    case raced(RacingState.Winner)
    case answered(TransportResponse?)
  }

  /// Sends a safe request as HTTP/3's early data while the race is on; nil when it has to be sent to the winner. When
  /// HTTP/1.1 wins, HTTP/3's stream is given up: such a request may reach the server twice.
  func sendBesideRace(_ request: HTTPRequest) async throws -> TransportResponse? {
    let closing = state.withLock { $0.closing[.first] }
    return try await withThrowingTaskGroup(of: Step.self) { group in
      group.addTask { [self] in .raced(try await reach()) }
      group.addTask { [first] in
        await closing?.value
        // What is wrong with HTTP/3, the race tells.
        return .answered((try? await first.sendEarly(request)) ?? nil)
      }
      var winner: RacingState.Winner?
      while let step = try await group.next() {
        switch step {
        case .answered(var response?):
          if winner == nil, case .raced(let raced) = try await group.next() { winner = raced }
          guard let winner else { return response }
          response.connection.reason = winner.info.reason
          learn(from: response.head, winner)
          return response
        case .answered(nil): break
        case .raced(let raced):
          winner = raced
          guard raced.side == .first else {
            group.cancelAll()
            return nil
          }
        }
      }
      return nil
    }
  }
}
