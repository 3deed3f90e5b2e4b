/// A model's text before it made calls, and the calls.
struct ModelRound: Equatable, Sendable {
  /// Counts from 0 in each turn.
  var number: Int
  var text: String
  /// Their ids are distinct in the whole turn.
  var calls: [ModelToolCall]
  /// Seconds for each call that the client is asked for, by its id; the others name no function that there is.
  var timeouts: [String: Int]
  var usage: ModelUsage?
}
