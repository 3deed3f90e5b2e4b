/// The verdict on a client and a server in one case, in the public runner's words.
enum Verdict: String, Codable, Hashable, Sendable, CaseIterable {
  case succeeded, unsupported, failed

  var symbol: String {
    switch self {
    case .succeeded: "✓"
    case .unsupported: "?"
    case .failed: "✕"
    }
  }
}

/// A verdict with what it rests on.
struct Outcome: Hashable, Sendable {
  var verdict: Verdict
  /// The reasons for which it is no success, a sentence each.
  var reasons: [String] = []
  /// The time that the client ran.
  var seconds = 0.0
  /// Of a measurement.
  var value: Double?
  /// Measurements beside the verdict, in words.
  var details = ""

  static func unsupported(_ reason: String) -> Outcome { Outcome(verdict: .unsupported, reasons: [reason]) }
  static func failed(_ reason: String) -> Outcome { Outcome(verdict: .failed, reasons: [reason]) }
}
