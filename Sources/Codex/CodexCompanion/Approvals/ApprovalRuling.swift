/// The rules' answer to something that Codex wants to do.
package enum ApprovalRuling: Hashable, Sendable {
  /// The reason for an answer without a person.
  package enum Ground: Hashable, Sendable {
    /// A person allowed it for the chat.
    case session
    /// A person decided it permanently.
    case kept(Allowance)
    /// The project is closed to devices.
    case closedProject
  }

  /// A person is to be asked; which of the wider decisions they may take.
  case ask(session: Bool, always: Bool)
  case allow(Ground)
  case deny(Ground)
}
