import CodexAppServer
import ResolveKitCore

/// Codex's messages to a chat that is being joined: they come after what was missed.
struct HeldReports: Sendable {
  enum Report: Sendable {
    case notification(method: String, params: JSONObject)
    case question(CodexQuestion)
  }

  enum Outcome: Equatable, Sendable {
    /// Nothing is joined: the message is to be taken now.
    case open
    case held
    /// Too many are held; this one is lost.
    case full
  }

  private static let limit = 16_384
  /// Of all that are held, about.
  static let byteLimit = 64 << 20

  private var reports: [Report]?
  private var bytes = 0

  mutating func begin() {
    reports = []
    bytes = 0
  }

  mutating func hold(_ report: Report) -> Outcome {
    guard let count = reports?.count else { return .open }
    let weight = report.weight
    guard count < Self.limit, bytes + weight <= Self.byteLimit else { return .full }
    reports?.append(report)
    bytes += weight
    return .held
  }

  /// Returns what was held, while more is held meanwhile; nil once there is nothing, after which nothing is held any more.
  mutating func release() -> [Report]? {
    guard let held = reports, !held.isEmpty else {
      reports = nil
      return nil
    }
    begin()
    return held
  }
}

extension HeldReports.Report {
  fileprivate var weight: Int {
    switch self {
    case .notification(_, let params): JSONValue.object(params).weight
    case .question(let question): question.weight
    }
  }
}
