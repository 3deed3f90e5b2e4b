import EventStream

/// The tasks of one race and what they have reported.
struct RaceRun {
  enum News: Sendable {
    case headStartElapsed(race: Int)
    case ended(RaceSide, Result<ConnectionInfo, TransportError>, race: Int)
  }

  /// The race's number.
  let number: Int
  let news: AsyncStream<News>
  private(set) var attempts: [RaceSide: Task<Void, Never>] = [:]
  private(set) var connected: [RaceSide: ConnectionInfo] = [:]
  private(set) var errors: [RaceSide: TransportError] = [:]
  private let report: AsyncStream<News>.Continuation
  private let clock: TransportClock
  private var headStart: Task<Void, Never>?

  init(number: Int, clock: TransportClock) {
    self.number = number
    self.clock = clock
    (news, report) = AsyncStream.makeStream(of: News.self)
  }

  /// - Parameter closing: what must be over before the transport may connect again.
  mutating func start(_ side: RaceSide, _ transport: any HTTPTransport, after closing: Task<Void, Never>?, race: Int) {
    attempts[side] = Task { [report] in
      await closing?.value
      do {
        report.yield(.ended(side, .success(try await transport.connect()), race: race))
      } catch {
        let reason =
          (error as? TransportError)
          ?? TransportError(.connectionLost, "The connection failed: \(error).", cause: error)
        report.yield(.ended(side, .failure(reason), race: race))
      }
    }
  }

  mutating func scheduleHeadStart(_ duration: Duration, race: Int) {
    headStart = Task { [report, clock] in
      do { try await clock.sleep(duration) } catch { return }
      report.yield(.headStartElapsed(race: race))
    }
  }

  func cancelHeadStart() {
    headStart?.cancel()
  }

  mutating func record(
    _ side: RaceSide, _ info: ConnectionInfo, _ next: () -> [TransportRace.Action]
  ) -> [TransportRace.Action] {
    connected[side] = info
    return next()
  }

  mutating func record(
    _ side: RaceSide, _ error: TransportError, _ next: () -> [TransportRace.Action]
  ) -> [TransportRace.Action] {
    errors[side] = error
    return next()
  }
}
