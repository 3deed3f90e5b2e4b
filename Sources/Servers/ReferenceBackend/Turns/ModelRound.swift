/// A model's text before it made calls, and the calls.
package struct ModelRound: Equatable, Sendable {
  /// Counts from 0 in each turn.
  package var number: Int
  package var text: String
  /// Their ids are distinct in the whole turn.
  package var calls: [ModelToolCall]
  /// Seconds for each call that the client is asked for, by its id; the others name no function that there is.
  package var timeouts: [String: Int]
  package var usage: ModelUsage?

  package init(number: Int, text: String, calls: [ModelToolCall], timeouts: [String: Int], usage: ModelUsage?) {
    self.number = number
    self.text = text
    self.calls = calls
    self.timeouts = timeouts
    self.usage = usage
  }
}
