import LinkModel
import ResolveKitCore

/// The reader of an event stream.
protocol StreamReceiver: AnyObject {
  func streamOpened(_ connection: StreamConnection)
  /// There is no stream: the answer says no, or none came.
  func streamRefused(_ connection: StreamConnection, _ failure: RequestFailure?)
  func streamReceived(_ connection: StreamConnection, _ bytes: [UInt8])
  func streamEnded(_ connection: StreamConnection, isClean: Bool)
}

/// One response of an event stream on its way through the network: bytes arrive in order, in pieces of any size, until it
/// ends or breaks.
final class StreamConnection {
  private enum State {
    case opening
    case open
    /// Left by its reader. What is under way arrives all the same where it lingers.
    case left
    case over
  }

  let number: Int
  private let agenda: Agenda
  private var generator: SeededGenerator
  private weak var receiver: (any StreamReceiver)?
  private let life: Life
  private let lineEnd: SessionSchedule.Setting.LineEnd
  private let observe: (Observation) -> Void
  private var state = State.opening
  private var lastArrival: Moment = 0
  /// Bytes until it breaks.
  private var budget: Int?
  private var losesNext = false
  private var lingers = false
  /// The longest way of a piece, in milliseconds.
  private var way = usualWay

  static let usualWay = 30
  static let longestWay = 5_000
  /// Told when nobody reads any more.
  var onOver: () -> Void = {}

  init(
    number: Int, on agenda: Agenda, seed: UInt64, lineEnd: SessionSchedule.Setting.LineEnd,
    to receiver: any StreamReceiver, of life: Life,
    observe: @escaping (Observation) -> Void
  ) {
    self.number = number
    self.agenda = agenda
    self.lineEnd = lineEnd
    self.receiver = receiver
    self.life = life
    self.observe = observe
    generator = SeededGenerator(seed: seed)
  }

  var isOver: Bool {
    switch state {
    case .opening, .open: false
    case .left, .over: true
    }
  }

  // MARK: Faults

  func cut(afterBytes count: Int) { budget = max(0, count) }
  func loseNext() { losesNext = true }
  func linger() { lingers = true }
  func slow(upTo milliseconds: Int) { way = min(max(milliseconds, 1), Self.longestWay) }

  // MARK: The server's end

  func refuse(_ failure: RequestFailure?) {
    guard case .opening = state else { return }
    state = .over
    onOver()
    life.run { self.receiver?.streamRefused(self, failure) }
  }

  func accept() {
    guard case .opening = state else { return }
    state = .open
    deliver { self.receiver?.streamOpened(self) }
  }

  /// Sends an event, or a comment for which there is no id.
  func send(_ bytes: [UInt8], id: Int64?) {
    guard case .open = state else { return }
    if losesNext, let id {
      losesNext = false
      return observe(.eventLost(id: String(id)))
    }
    var rest = ended(bytes)[...]
    while !rest.isEmpty {
      var count = min(rest.count, Int.random(in: 1...400, using: &generator))
      if let budget {
        count = min(count, budget)
        self.budget = budget - count
      }
      let chunk = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      if !chunk.isEmpty { deliver { self.receiver?.streamReceived(self, chunk) } }
      if budget == 0 { return end(isClean: false) }
    }
  }

  /// The same lines with the stream's line end; what an event says holds none.
  private func ended(_ bytes: [UInt8]) -> [UInt8] {
    switch lineEnd {
    case .lineFeed: bytes
    case .carriageReturn: bytes.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: "\r") : $0 }
    case .both: bytes.flatMap { $0 == UInt8(ascii: "\n") ? [UInt8(ascii: "\r"), $0] : [$0] }
    }
  }

  func finish() { end(isClean: true) }

  func breakOff() {
    if case .opening = state { return refuse(nil) }
    end(isClean: false)
  }

  private func end(isClean: Bool) {
    guard case .open = state else { return }
    deliver {
      guard case .open = self.state else { return }
      self.state = .over
      self.receiver?.streamEnded(self, isClean: isClean)
    }
    onOver()
  }

  private func deliver(_ body: @escaping () -> Void) {
    lastArrival = max(lastArrival, agenda.now.adding(milliseconds: Int.random(in: 1...way, using: &generator)))
    agenda.at(lastArrival) {
      self.life.run {
        switch self.state {
        case .open: body()
        case .left: if self.lingers { body() }
        case .opening, .over: break
        }
      }
    }
  }

  // MARK: The client's end

  func leave() {
    switch state {
    case .opening, .open:
      state = .left
      onOver()
    case .left, .over: break
    }
  }
}
