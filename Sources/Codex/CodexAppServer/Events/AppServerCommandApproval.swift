package import ResolveKitCore

/// A command that waits for approval.
package struct AppServerCommandApproval: Hashable, Sendable {
  /// The whole line, such as `/bin/bash -lc 'ls'`; nil where the question is about the network alone.
  package let command: String?
  package let directory: String?
  /// The model's words for why it asks.
  package let reason: String?
  /// Tells apart several questions about one item; codex 0.163.0 never sent one.
  package let approvalID: String?
  /// The first words of commands that codex would allow for good; nil where it proposes none.
  package let proposedPrefix: [String]?
  /// The host that the command wants to reach, where the question is about that.
  package let network: JSONValue?
  /// What codex offers. It takes other decisions too.
  package let availableDecisions: [JSONValue]

  init(_ reader: ParamsReader) {
    command = reader.string("command")
    directory = reader.string("cwd")
    reason = reader.string("reason")
    approvalID = reader.string("approvalId")
    proposedPrefix = reader.strings("proposedExecpolicyAmendment")
    let context = reader.members["networkApprovalContext"]
    network = context?.isNull == false ? context : .none
    availableDecisions = reader.members["availableDecisions"]?.arrayValue ?? []
  }
}
