/// The steps of a case in order, with their times.
struct StreamingTimeline: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    /// Drops what comes in at both ends from here on; nil: nothing.
    case drop(Filter?)
    case moveClient
    case replaceServer
    case killServer
  }

  enum Filter: String, Hashable, Sendable {
    case everything
    case udp
  }

  struct Entry: Hashable, Sendable {
    /// From the client's start.
    var milliseconds: Double
    var step: Step
  }

  private(set) var entries: [Entry] = []

  init(_ test: StreamingCase) {
    for incident in test.incidents {
      let time = StreamingCase.leadMilliseconds + incident.atMilliseconds
      func add(_ step: Step, after milliseconds: Double = 0) {
        entries.append(Entry(milliseconds: time + milliseconds, step: step))
      }
      switch incident.action {
      case .silence(let milliseconds):
        add(.drop(.everything))
        add(.drop(nil), after: milliseconds)
      case .loseUDP: add(.drop(.udp))
      case .moveClient: add(.moveClient)
      case .replaceServer: add(.replaceServer)
      case .killServer: add(.killServer)
      }
    }
    entries.sort { $0.milliseconds < $1.milliseconds }
  }
}
