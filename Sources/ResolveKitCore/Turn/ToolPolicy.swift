/// What the machine knows about a function of this program.
package struct ToolPolicy: Codable, Equatable, Sendable {
  package let name: String
  package let requiresApproval: Bool
  /// Stands for the definition: an approval for the session does not outlive a change of the tool.
  package let fingerprint: String

  package init(name: String, requiresApproval: Bool, fingerprint: String = "") {
    self.name = name
    self.requiresApproval = requiresApproval
    self.fingerprint = fingerprint
  }

  /// The policy of a definition, whose JSON is the fingerprint.
  package init(_ definition: ResolveKitDefinition) {
    let parts: JSONValue = [
      .string(definition.name), .string(definition.description), .object(definition.parametersSchema),
      .bool(definition.requiresApproval),
    ]
    self.init(
      name: definition.name, requiresApproval: definition.requiresApproval, fingerprint: parts.jsonText)
  }
}
