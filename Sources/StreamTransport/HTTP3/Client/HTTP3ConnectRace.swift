import HTTP3Engine

/// Tries a host's addresses one after the other, each with a head start over the next; the first handshake wins.
struct HTTP3ConnectRace: Sendable {
  let addresses: [NetworkAddress]
  /// The head start of each address; a failure ends it at once.
  let delay: Duration
  let open: @Sendable (NetworkAddress) async throws -> HTTP3ClientConnection

  private enum Step: Sendable {
    case connected(HTTP3ClientConnection)
    case failed(TransportError)
    case delayPassed(beforeAddress: Int)
    case nothing
  }

  /// The winner, its handshake done. Throws ``TransportError``, the most telling one of all.
  func run() async throws -> HTTP3ClientConnection {
    try await withTaskGroup(of: Step.self) { group -> Result<HTTP3ClientConnection, TransportError> in
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
          (try? await Task.sleep(for: delay)) == nil ? .nothing : .delayPassed(beforeAddress: next)
        }
      }
      startNext()
      while running > 0, let step = await group.next() {
        switch step {
        case .connected(let connection):
          group.cancelAll()
          await closeLosers(&group)
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
    do {
      let connection = try await open(address)
      do {
        _ = try await connection.establish()
        return .connected(connection)
      } catch {
        await connection.close(TransportError(.cancelled, "Another address was faster."))
        // Once or twice: the next connection is without ECN, or without a ticket.
        if await connection.isWorthAnother, !Task.isCancelled { return await attempt(address) }
        throw error
      }
    } catch let error as TransportError {
      return .failed(error)
    } catch let error as SystemError {
      return .failed(TransportError(error, sendingTo: address))
    } catch let error as HTTP3Error {
      return .failed(TransportError(error))
    } catch {
      return .failed(TransportError(.cancelled, "Connecting to \(address) was cancelled.", cause: error))
    }
  }

  /// One that won too late is closed; the others close themselves when they are cancelled.
  private func closeLosers(_ group: inout TaskGroup<Step>) async {
    for await step in group {
      if case .connected(let late) = step {
        await late.close(TransportError(.cancelled, "Another address was faster."))
      }
    }
  }

  /// The reason that tells most: a server that answered says more than a refusal, and that more than silence.
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
