import HTTP3Engine

/// A client's outcome in a case.
enum CaseOutcome: Hashable, Sendable, CustomStringConvertible {
  case connectionError(WireCode)
  case streamError(ApplicationErrorCode)
  case success
  case refusal
  /// Neither an answer nor an end within the time limit.
  case hanging

  /// The degree to which an outcome satisfies the demand.
  enum Fit: String, Comparable, Codable, Sendable {
    case none
    /// With one of the codes that may stand for all others (RFC 9000 § 11, RFC 9114 § 8.1).
    case generic
    case exact

    static func < (left: Fit, right: Fit) -> Bool { left.rank < right.rank }
    private var rank: Int {
      switch self {
      case .none: 0
      case .generic: 1
      case .exact: 2
      }
    }
  }

  func fit(_ demands: [Demand]) -> Fit { demands.map(fit).max() ?? .none }

  private func fit(_ demand: Demand) -> Fit {
    switch (self, demand) {
    case (.success, .success), (.refusal, .refusal), (.hanging, .silence): .exact
    case (.connectionError(let code), .connectionError(let wanted)):
      wanted.contains(code)
        ? .exact : code.isGeneric && wanted.contains { $0.isApplication == code.isApplication } ? .generic : .none
    case (.connectionError(let code), .streamError(let wanted)):
      wanted.contains { WireCode.http($0) == code } ? .exact : code.isApplication && code.isGeneric ? .generic : .none
    case (.streamError(let code), .streamError(let wanted)):
      wanted.contains(code) ? .exact : WireCode.http(code).isGeneric ? .generic : .none
    default: .none
    }
  }

  /// Whether the client named the very error, which it does only where the case is about it.
  func isErrorAsDemanded(_ demands: [Demand]) -> Bool {
    switch self {
    case .connectionError, .streamError: fit(demands) == .exact
    case .success, .refusal, .hanging: false
    }
  }

  var description: String {
    switch self {
    case .connectionError(let code): "connection error \(code)"
    case .streamError(let code): "stream error \(code)"
    case .success: "request succeeds"
    case .refusal: "request fails, without an error on the wire"
    case .hanging: "neither an answer nor an end"
    }
  }
}
