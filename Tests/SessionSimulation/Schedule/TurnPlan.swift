/// The plan of a turn: the model's parts, the conduct of the tools that it calls, and a person's decision.
package struct TurnPlan: Codable, Equatable, Sendable {
  /// A part of the model's answer: text in pieces, then calls; the last part has none.
  package struct Part: Codable, Equatable, Sendable {
    package var pieces: [String]
    /// Milliseconds before each piece.
    package var pace: Int
    package var calls: [Call]
    /// The model breaks off behind the text.
    package var fails: Bool
  }

  /// A call, and its outcome.
  package struct Call: Codable, Equatable, Sendable {
    package var tool: Tool
    /// Milliseconds that the tool runs.
    package var duration: Int
    package var fails: Bool
    /// Whether the tool ends when it is cancelled.
    package var heedsCancellation: Bool
    /// A person's answer when asked; nil: none.
    package var decision: Decision?
    /// Milliseconds until a person answers.
    package var hesitation: Int
    /// The model uses the id of the turn's first call once more.
    package var repeatsID: Bool
  }

  /// The app's tools, and one that it has not.
  package enum Tool: String, Codable, CaseIterable, Sendable {
    case plain
    case asking
    case repeatable
    case serial
    case missing
  }

  package enum Decision: String, Codable, CaseIterable, Sendable {
    case approve
    case approveForSession
    case deny
  }

  package var parts: [Part]

  /// The call of that number, counted over all parts.
  func call(_ number: Int) -> Call? {
    let calls = parts.flatMap(\.calls)
    return calls.indices.contains(number) ? calls[number] : nil
  }
}

extension TurnPlan.Tool {
  /// Seconds that the backend waits for a result.
  var timeout: Int {
    switch self {
    case .plain: 30
    case .asking: 60
    case .repeatable: 10
    case .serial: 20
    case .missing: 30
    }
  }

  var asks: Bool { self == .asking }
}
