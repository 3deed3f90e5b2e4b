/// The machine's knowledge of a function of this program.
package struct ToolPolicy: Codable, Equatable, Sendable {
  package let name: String
  package let requiresApproval: Bool
  /// Stands for the server, the name and the definition: an approval does not outlive a change of any of them. Empty
  /// where nothing may be approved for longer than the session.
  package let fingerprint: String
  /// Whether a run that was cut off may be repeated.
  package let isIdempotent: Bool
  /// Calls of tools with the same key run one after the other.
  package let serialKey: String?

  package init(
    name: String, requiresApproval: Bool, fingerprint: String = "", isIdempotent: Bool = false, serialKey: String? = nil
  ) {
    self.name = name
    self.requiresApproval = requiresApproval
    self.fingerprint = fingerprint
    self.isIdempotent = isIdempotent
    self.serialKey = serialKey
  }
}
