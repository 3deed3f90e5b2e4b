/// A backend's behaviour where the contract's public server leaves its clients in the dark.
public enum ContractCompatibility: String, CaseIterable, Sendable {
  /// A cursor whose events are gone is answered with 410, and a person's messages continue reaching an escalated session.
  case strict
  /// As the public server: such a cursor gives the events that are left, without a word, and the stream of an escalated
  /// session is answered with 410.
  case compatible
}
