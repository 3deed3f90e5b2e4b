import HTTPTypes
import Synchronization
import TransportPolicy

extension RacingTransport {
  private enum Step: Sendable {
    case raced(RacingState.Winner)
    case answered(Result<TransportResponse?, any Error>)
  }

  /// Sends a safe request as HTTP/3's early data while the race is on; nil when it has to be sent to the winner. When
  /// HTTP/1.1 wins, HTTP/3's stream is given up: such a request may reach the server twice.
  func sendBesideRace(_ request: HTTPRequest) async throws -> TransportResponse? {
    let closing = state.withLock { $0.closing(.first) }
    return try await withThrowingTaskGroup(of: Step.self) { group in
      group.addTask { [self] in .raced(try await reach()) }
      group.addTask { [first] in
        await closing?.value
        do {
          return .answered(.success(try await first.sendEarly(request)))
        } catch {
          return .answered(.failure(error))
        }
      }
      var winner: RacingState.Winner?
      var answer: Result<TransportResponse?, any Error>?
      while let step = try await group.next() {
        switch step {
        case .answered(let result): answer = result
        case .raced(let raced): winner = raced
        }
        guard let winner else { continue }
        guard winner.side == .first else {
          if case .success(let response?) = answer { response.body.cancel() }
          group.cancelAll()
          return nil
        }
        guard let answer else { continue }
        return try settle(answer, winner)
      }
      return nil
    }
  }

  private func settle(
    _ answer: Result<TransportResponse?, any Error>, _ winner: RacingState.Winner
  ) throws -> TransportResponse? {
    do {
      guard var response = try answer.get() else { return nil }
      response.connection.reason = winner.info.reason
      switch learn(from: response.head, winner) {
      case .none: return response
      case .misdirected:
        response.body.cancel()
        return nil
      }
    } catch let error as TransportError where error.endsConnection {
      state.withLock { $0.lose(winner, reason: error.message) }
      throw error
    }
  }
}
