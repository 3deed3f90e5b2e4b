/// Conditions that no link can have.
package struct LinkConditionsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where it stands in the conditions, for example `toClient.loss.bernoulli.rate`.
  package var field: String
  /// What it was.
  package var value: String
  /// What it may be, as the rest of a sentence that begins with "it may be".
  package var allowed: String

  package init(field: String, value: String, allowed: String) {
    self.field = field
    self.value = value
    self.allowed = allowed
  }

  package var description: String { "\(field) is \(value); it may be \(allowed)" }
}
