import EventLedger

// The leases on the streams of sessions, asked for as the real shell asks for them.
extension BackendProcess {
  /// Frees the stream of a session whose turn is over.
  func visit(_ session: String) {
    lease(of: session, to: "visitor/\(holder)/\(agenda.now)", for: .seconds(5)) { result in
      if case .success(let lease?) = result { self.giveUp(lease, of: session) }
    }
  }

  /// Gives up a lease under which nothing is to be said.
  func giveUp(_ lease: LedgerLease, of session: String) {
    database.submit(from: life) {
      $0.rows { $0.running(in: session) }
    } then: { result in
      guard case .success(let running) = result else { return }
      if running == nil { self.release(lease) } else { self.handOver(lease) }
    }
  }

  /// nil while another turn or process has it.
  func lease(
    of session: String, forTurn turn: String, then: @escaping (Result<LedgerLease?, any Error>) -> Void
  ) {
    lease(of: session, to: isShared ? "\(holder)/\(turn)" : holder, for: leaseDuration, then: then)
  }

  private func lease(
    of session: String, to holder: String, for duration: Duration,
    then: @escaping (Result<LedgerLease?, any Error>) -> Void
  ) {
    database.submit(from: life) {
      try $0.lease(of: session, to: holder, for: duration)
    } then: {
      switch $0 {
      case .success(let lease): then(.success(lease))
      case .failure(let error):
        if case .leased = (error as? LedgerError)?.code { return then(.success(nil)) }
        then(.failure(error))
      }
    }
  }

  /// Lets others take the stream at once.
  func handOver(_ lease: LedgerLease) {
    guard isShared else { return }
    database.submit(from: life) {
      try $0.renew(lease, for: .zero)
    } then: { _ in
    }
  }

  func release(_ lease: LedgerLease) {
    database.submit(from: life) {
      $0.release(lease)
    } then: { _ in
    }
  }
}
