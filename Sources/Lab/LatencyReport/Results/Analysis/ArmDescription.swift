/// The facts about an arm that are known before its runs.
package struct ArmDescription: Codable, Hashable, Sendable {
  /// The arm's name, as in `RunRecord.arm`.
  package var name: String
  /// For example "HTTP/3".
  package var label: String
  /// A control by a program that is not ours.
  package var isControl: Bool
  package var notes: [String]

  package init(name: String, label: String, isControl: Bool = false, notes: [String] = []) {
    self.name = name
    self.label = label
    self.isControl = isControl
    self.notes = notes
  }
}
