import EventStream
import LinkModel
import ResolveKitCore

/// The client's one event stream: opened again and again behind what was dealt with, by the real parser, cursor and
/// back-off, in the order of the real event source.
final class EventStreamClient: StreamReceiver {
  /// The stream's reports to the machine.
  struct Reports {
    var connecting: (_ generation: Int, _ attempt: Int) -> Void
    var opened: (_ generation: Int) -> Void
    var event: (_ generation: Int, ServerSentEvent) -> Void
    var ended: (_ generation: Int, _ isClean: Bool, _ resumesAtOnce: Bool) -> Void
    var refused: (_ generation: Int, RequestFailure) -> Void
  }

  private enum State {
    case idle
    /// The next attempt is made when the pause of this number is over.
    case waiting(pause: Int)
    case opening(StreamConnection)
    case streaming(StreamConnection, since: Moment)
  }

  private let agenda: Agenda
  private let life: Life
  private let session: String
  private let link: SimulatedLink
  private let observe: (Observation) -> Void
  private let reports: Reports
  private var generator: SeededGenerator
  private var state = State.idle
  private var generation = 0
  private var parser = EventStreamParser()
  private var cursor = EventCursor(sentAs: .queryAndLastEventID(name: "cursor"))
  private var backoff = Backoff()
  /// A stream that was left while it was open, whose bytes may be under way.
  private var left: (connection: StreamConnection, generation: Int, parser: EventStreamParser)?
  private var pauses = 0
  private var attempts = 0
  private var attemptedAt: Moment?
  private var earliestAttempt: Moment = 0

  private static let floor = 1_000

  init(
    of session: String, on agenda: Agenda, life: Life, _ link: SimulatedLink, seed: UInt64, reports: Reports,
    observe: @escaping (Observation) -> Void
  ) {
    self.session = session
    self.agenda = agenda
    self.life = life
    self.link = link
    self.reports = reports
    self.observe = observe
    generator = SeededGenerator(seed: seed)
  }

  /// The connection that is open or being opened.
  var connection: StreamConnection? {
    switch state {
    case .opening(let connection), .streaming(let connection, _): connection
    case .idle, .waiting: nil
    }
  }

  // MARK: The machine's orders

  func open(_ generation: Int, cursor: String?) {
    close()
    self.generation = generation
    parser = EventStreamParser(lastEventID: cursor ?? "")
    self.cursor = EventCursor(id: cursor ?? "", sentAs: .queryAndLastEventID(name: "cursor"))
    backoff = Backoff()
    attempts = 0
    // A server that refuses each one is not asked in a row.
    let wait = attemptedAt.map { $0.adding(milliseconds: Self.floor) } ?? 0
    earliestAttempt = wait
    pause(until: wait)
  }

  func close() {
    if case .streaming(let connection, _) = state { left = (connection, generation, parser) }
    if let connection {
      connection.leave()
      observe(.streamEnded(connection: connection.number, healthy: false))
    }
    state = .idle
  }

  func retryNow() {
    guard case .waiting = state else { return }
    pause(until: max(agenda.now, earliestAttempt))
  }

  private func pause(until moment: Moment) {
    pauses += 1
    let pause = pauses
    state = .waiting(pause: pause)
    agenda.at(moment) { self.life.run { self.attempt(after: pause) } }
  }

  private func attempt(after pause: Int) {
    guard case .waiting(pause) = state else { return }
    attempts += 1
    attemptedAt = agenda.now
    reports.connecting(generation, attempts)
    // The report may have closed the stream.
    guard case .waiting(pause) = state else { return }
    cursor.advance(to: parser.lastEventID)
    let connection = link.openStream(of: session, after: cursor.isAtStart ? nil : cursor.id, to: self, from: life)
    state = .opening(connection)
    observe(.streamAttempted(cursor: cursor.isAtStart ? nil : cursor.id, connection: connection.number))
  }

  // MARK: The connection's reports

  func streamOpened(_ connection: StreamConnection) {
    guard case .opening(let current) = state, current === connection else { return }
    parser.restart()
    attempts = 0
    state = .streaming(connection, since: agenda.now)
    observe(.streamOpened(connection: connection.number))
    reports.opened(generation)
  }

  func streamRefused(_ connection: StreamConnection, _ failure: RequestFailure?) {
    guard case .opening(let current) = state, current === connection else { return }
    observe(.streamEnded(connection: connection.number, healthy: false))
    if let failure, failure.kind != .transient {
      state = .idle
      return reports.refused(generation, failure)
    }
    disconnect(.refused(retryAfter: failure?.retryAfterSeconds.map { .seconds($0) }))
  }

  func streamReceived(_ connection: StreamConnection, _ bytes: [UInt8]) {
    guard case .streaming(let current, _) = state, current === connection else { return receiveLate(connection, bytes) }
    for item in (try? parser.parse(bytes)) ?? [] {
      guard case .event(let event) = item else { continue }
      observe(.eventArrived(id: event.lastEventID, connection: connection.number))
      reports.event(generation, event)
      guard case .streaming(let current, _) = state, current === connection else { return }
    }
  }

  /// The reader of a stream that was left may have been about to report an event.
  private func receiveLate(_ connection: StreamConnection, _ bytes: [UInt8]) {
    guard var left, left.connection === connection else { return }
    for item in (try? left.parser.parse(bytes)) ?? [] {
      guard case .event(let event) = item else { continue }
      self.left = nil
      return reports.event(left.generation, event)
    }
    self.left = left
  }

  func streamEnded(_ connection: StreamConnection, isClean: Bool) {
    guard case .streaming(let current, let since) = state, current === connection else { return }
    let uptime = Duration.nanoseconds(Int64(clamping: agenda.now - since))
    observe(.streamEnded(connection: connection.number, healthy: isClean && uptime >= .seconds(5)))
    disconnect(isClean ? .clean(uptime: uptime) : .lost(uptime: uptime))
  }

  private func disconnect(_ end: StreamEnd) {
    let delay = backoff.delay(after: end, using: &generator)
    earliestAttempt = max(
      (attemptedAt ?? 0).adding(milliseconds: Self.floor), agenda.now + (backoff.order ?? .zero).nanoseconds)
    let ended = generation
    let isClean = if case .clean = end { true } else { false }
    pause(until: agenda.now + delay.nanoseconds)
    reports.ended(ended, isClean, delay == .zero)
  }
}

extension Duration {
  /// Zero for a negative one.
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    return seconds < 0 ? 0 : UInt64(seconds) &* 1_000_000_000 &+ UInt64(max(0, attoseconds) / 1_000_000_000)
  }
}
