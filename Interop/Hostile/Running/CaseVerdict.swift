import HTTP3Engine

/// The verdict on a client in one case.
struct CaseVerdict: Encodable {
  enum Result: String, Encodable {
    case passed
    case failed
    /// The case says nothing of this client.
    case skipped
  }

  var name: String
  var result: Result
  var outcome: String
  /// `generic` for a code that may stand for all others.
  var fit: CaseOutcome.Fit
  var demands: [String]
  var rule: String
  /// From the client's first datagram to its end, as far as it is known.
  var seconds: Double?
  var peakMegabytes: Int?
  var reason: String?

  private enum CodingKeys: String, CodingKey {
    case name = "case"
    case result, outcome, fit
    case demands = "demanded"
    case rule, seconds
    case peakMegabytes = "peak_mb"
    case reason
  }

  init(
    _ row: HostileCase, _ observation: ClientObservation, succeeded: Bool?, isOver: Bool, time: Duration?,
    peakMemory: Int? = nil, memoryLimit: Int = .max
  ) {
    name = row.name
    demands = row.demands.map(\.description)
    rule = row.rule
    seconds = time.map { (($0 / .seconds(1)) * 1e3).rounded() / 1e3 }
    peakMegabytes = peakMemory.map { $0 >> 20 }
    let outcome = observation.outcome(succeeded: succeeded, isOver: isOver)
    self.outcome = outcome.description
    fit = outcome.fit(row.demands)
    result = fit == .none ? .failed : .passed
    if observation.firstDatagram == nil {
      result = .failed
      reason = "No datagram came from the client."
    } else if let inapplicable = observation.inapplicable, !outcome.isErrorAsDemanded(row.demands) {
      result = .skipped
      reason = inapplicable
    } else if fit == .none {
      reason = "The client did what the rule does not allow."
    } else if let time, time > row.limit {
      result = .failed
      reason = "The client was there for longer than \(row.limit)."
    } else if let peakMemory, peakMemory > memoryLimit {
      result = .failed
      reason = "The client took more than \(memoryLimit >> 20) MB of memory."
    }
  }
}
