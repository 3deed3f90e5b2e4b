import HTTP3Engine

/// Tries a host's addresses one after the other, each with a head start over the next; the first handshake wins
/// (RFC 8305 § 5).
struct AddressRace<Connection: Sendable>: Sendable {
  let addresses: [NetworkAddress]
  /// The head start of each address; a failure ends it at once.
  let delay: Duration
  let clock: TransportClock
  /// Connects to an address; cancelling the task gives the attempt up.
  let connect: @Sendable (NetworkAddress) async throws(TransportError) -> Connection
  /// Closes a connection that came too late.
  let discard: @Sendable (Connection) async -> Void

  private enum Step: Sendable {
    case connected(Connection)
    case failed(TransportError)
    case delayPassed(beforeAddress: Int)
    case nothing
  }

  /// The winner. Throws the error that says most about the server, of all.
  func run() async throws(TransportError) -> Connection {
    try await withTaskGroup(of: Step.self) { group -> Result<Connection, TransportError> in
      var next = 0
      var running = 0
      var failures: [TransportError] = []
      func startNext() {
        guard next < addresses.count else { return }
        let address = addresses[next]
        next += 1
        running += 1
        group.addTask { await attempt(address) }
        guard next < addresses.count else { return }
        group.addTask { [next] in
          (try? await clock.sleep(delay)) == nil ? .nothing : .delayPassed(beforeAddress: next)
        }
      }
      startNext()
      while running > 0, let step = await group.next() {
        switch step {
        case .connected(let connection):
          group.cancelAll()
          await discardLosers(&group)
          return .success(connection)
        case .failed(let reason):
          running -= 1
          failures.append(reason)
          if !Task.isCancelled { startNext() }
        case .delayPassed(let index) where index == next: startNext()
        case .delayPassed, .nothing: break
        }
      }
      group.cancelAll()
      return .failure(Self.summary(of: failures))
    }.get()
  }

  private func attempt(_ address: NetworkAddress) async -> Step {
    do throws(TransportError) {
      return .connected(try await connect(address))
    } catch {
      return .failed(error)
    }
  }

  /// One that won too late is closed; the others close themselves when they are cancelled.
  private func discardLosers(_ group: inout TaskGroup<Step>) async {
    for await step in group {
      if case .connected(let late) = step { await discard(late) }
    }
  }

  /// The most informative reason: a server that answered says more than a refusal, and that more than silence.
  private static func summary(of failures: [TransportError]) -> TransportError {
    func weight(_ error: TransportError) -> Int {
      switch error.code {
      case .certificateRejected: 5
      case .tls, .protocolViolation: 4
      case .connectionLost, .limitExceeded, .idleTimeout, .superseded, .notProcessed, .streamReset, .invalidRequest: 3
      case .connectionRefused: 2
      case .connectTimeout: 1
      case .unreachable, .nameNotFound, .cancelled: 0
      }
    }
    return failures.max { weight($0) < weight($1) }
      ?? TransportError(.nameNotFound, "The host has no address.")
  }
}
