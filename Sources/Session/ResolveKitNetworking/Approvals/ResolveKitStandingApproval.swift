public import Foundation
package import ResolveKitCore

/// A decision on a tool that holds until it is revoked.
public struct ResolveKitStandingApproval: Identifiable, Hashable, Sendable {
  /// The verdict on later calls of the tool.
  public enum Verdict: Hashable, Sendable {
    /// The tool's calls run without a question.
    case allow
    /// The tool's calls are declined without a question.
    case deny
    /// A value of another version of this SDK. It allows nothing: a person is asked.
    case unknown(String)

    /// The word in the file.
    package var text: String {
      switch self {
      case .allow: "allow"
      case .deny: "deny"
      case .unknown(let text): text
      }
    }

    init(text: String) {
      switch text {
      case "allow": self = .allow
      case "deny": self = .deny
      default: self = .unknown(text)
      }
    }
  }

  /// The identity that the decision is bound to: the SHA-256, in hexadecimal, of the server, the tool's name and its
  /// definition. A tool whose definition changes is asked about again.
  public let id: String
  /// Shown to people; only ``id`` identifies the tool.
  public let server: String
  /// Shown to people; only ``id`` identifies the tool.
  public let toolName: String
  /// The decision on later calls of the tool.
  public let verdict: Verdict
  /// When the decision was made, to the second.
  public let decidedAt: Date

  package init(id: String, server: String, toolName: String, verdict: Verdict, decidedAt: Date) {
    self.id = id
    self.server = server
    self.toolName = toolName
    self.verdict = verdict
    self.decidedAt = decidedAt
  }

  /// The decision as the turn machine takes it.
  package var standing: StandingApproval {
    StandingApproval(fingerprint: id, toolName: toolName, verdict: ApprovalVerdict(text: verdict.text))
  }
}
