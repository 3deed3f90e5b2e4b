/// Whether a connection's losses are worth repeats: from a loss on, until none has come for some time and some packets.
struct RepeatDemand {
  /// Without a loss for so long, and so many packets of thin responses, the link counts as one that loses nothing.
  static let quietTime = Duration.seconds(30)
  static let quietPackets = 256

  private enum State {
    case always
    case quiet
    case losing(since: Timestamp, packets: Int)
  }

  private var state: State

  /// - Parameter isAdaptive: whether losses decide; repeats are sent from the beginning otherwise.
  init(isAdaptive: Bool) { state = isAdaptive ? .quiet : .always }

  /// Whether repeats are sent.
  var isOn: Bool {
    switch state {
    case .always, .losing: true
    case .quiet: false
    }
  }

  mutating func didLose(at now: Timestamp) {
    switch state {
    case .always: break
    case .quiet, .losing: state = .losing(since: now, packets: 0)
    }
  }

  /// A packet with content of a thin response has left.
  mutating func didSend(at now: Timestamp) {
    guard case .losing(let since, let packets) = state else { return }
    let isOver = packets >= Self.quietPackets && now >= since + Self.quietTime
    state = isOver ? .quiet : .losing(since: since, packets: packets + 1)
  }
}
