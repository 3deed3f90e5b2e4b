/// The times at which everything is dropped.
struct OutageSchedule: Sendable {
  private struct Window: Sendable {
    var start: Int64
    var duration: Int64
    var every: Int64?
  }

  private let windows: [Window]

  init(_ outages: [Outage]) {
    windows = outages.map {
      Window(
        start: LinkTime.nanoseconds($0.startMilliseconds), duration: LinkTime.nanoseconds($0.durationMilliseconds),
        every: $0.everyMilliseconds.map(LinkTime.nanoseconds))
    }
  }

  /// Whether the link is out this long after its start. An outage holds its first instant and not its end.
  func contains(_ elapsed: Int64) -> Bool {
    for window in windows where elapsed >= window.start {
      var since = elapsed - window.start
      if let every = window.every, every > 0 { since %= every }
      if since < window.duration { return true }
    }
    return false
  }
}
