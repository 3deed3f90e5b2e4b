/// Conditions that no link can have.
package struct LinkConditionsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the faulty value in the conditions, for example `toClient.loss.bernoulli.rate`.
  package var field: String
  /// The invalid value.
  package var value: String
  /// The valid values, as the rest of a sentence that begins with "it may be".
  package var allowed: String

  package init(field: String, value: String, allowed: String) {
    self.field = field
    self.value = value
    self.allowed = allowed
  }

  package var description: String { "\(field) is \(value); it may be \(allowed)" }
}
