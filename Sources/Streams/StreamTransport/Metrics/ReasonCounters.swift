import Metrics

/// One counter for each reason that something failed for.
struct ReasonCounters: Sendable {
  private let counters: [TransportError.Code: Counter]

  init(_ label: String, _ dimensions: [(String, String)], _ factory: any MetricsFactory) {
    counters = Dictionary(
      uniqueKeysWithValues: TransportError.Code.allCases.map { code in
        (code, Counter(label: label, dimensions: dimensions + [("reason", code.rawValue)], factory: factory))
      })
  }

  /// Counts an error. One that is not this library's is the caller's: a cancelled task, or a request body that threw.
  func increment(for error: any Error) {
    let code = (error as? TransportError)?.code ?? (error is CancellationError ? .cancelled : .invalidRequest)
    counters[code]?.increment()
  }
}
