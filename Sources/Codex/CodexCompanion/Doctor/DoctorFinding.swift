package import ResolveKitCore

/// A finding of `companion doctor`: a verdict, a sentence, and the remedy.
package struct DoctorFinding: Hashable, Sendable {
  /// The part that was examined.
  package enum Subject: String, Sendable {
    case codex
    case configuration
    case sandbox
    case git
    case certificate
    case state
    case port
    case companion
  }

  package enum Verdict: String, Sendable {
    case good
    /// The companion serves, with something less, or not for long.
    case warning
    /// The companion does not serve, or nothing can be done through it.
    case problem
  }

  package let subject: Subject
  package let verdict: Verdict
  package let sentence: String
  /// One line on what to do; nil where nothing is to be done.
  package let remedy: String?

  static func good(_ subject: Subject, _ sentence: String) -> DoctorFinding {
    DoctorFinding(subject: subject, verdict: .good, sentence: sentence, remedy: nil)
  }

  static func warning(_ subject: Subject, _ sentence: String, remedy: String) -> DoctorFinding {
    DoctorFinding(subject: subject, verdict: .warning, sentence: sentence, remedy: remedy)
  }

  static func problem(_ subject: Subject, _ sentence: String, remedy: String) -> DoctorFinding {
    DoctorFinding(subject: subject, verdict: .problem, sentence: sentence, remedy: remedy)
  }

  package var json: JSONValue {
    .record([
      "subject": .string(subject.rawValue), "verdict": .string(verdict.rawValue), "sentence": .string(sentence),
      "remedy": remedy.map { .string($0) },
    ])
  }
}
