/// A round whose results are being taken, call by call.
struct ToolExchange: Equatable, Sendable {
  let round: ModelRound
  private var place = 0

  init(_ round: ModelRound) { self.round = round }

  /// The call whose result is next; nil behind the last.
  var call: ModelToolCall? { round.calls.indices.contains(place) ? round.calls[place] : nil }

  /// The time of a call that the client is asked for; nil for one of no function that there is.
  func seconds(for call: ModelToolCall) -> Int? { round.timeouts[call.id] }

  mutating func advance() { place += 1 }
}
