/// A backend's behaviour where the contract's public server leaves its clients in the dark.
public enum ContractCompatibility: String, CaseIterable, Sendable {
  /// A cursor whose events are gone is answered with 410, and a person's messages continue reaching an escalated session.
  case strict
  /// The public server's way: such a cursor silently gives the events that are left, and the stream of an
  /// escalated session is answered with 410.
  case compatible
}
