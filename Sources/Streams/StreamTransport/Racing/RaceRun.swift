import TransportPolicy

/// The tasks of one race and what they have reported.
struct RaceRun: Sendable {
  enum News: Sendable {
    case headStartElapsed(race: Int)
    case ended(RaceSide, Result<ConnectionInfo, TransportError>, race: Int)
    /// A first that lost has had its time.
    case patienceElapsed
  }

  /// The race's number.
  let number: Int
  /// The network on which it is run.
  let network: String
  /// The destination of HTTP/3; nil for the origin itself.
  let service: AlternativeService?
  let news: AsyncStream<News>
  private(set) var attempts: [RaceSide: Task<Void, Never>] = [:]
  private(set) var connected: [RaceSide: ConnectionInfo] = [:]
  private(set) var errors: [RaceSide: TransportError] = [:]
  private let report: AsyncStream<News>.Continuation
  private let clock: TransportClock
  private var startedAt: [RaceSide: Duration] = [:]
  private var headStart: Task<Void, Never>?
  private var patience: Task<Void, Never>?

  init(number: Int, network: String, service: AlternativeService?, clock: TransportClock) {
    self.number = number
    self.network = network
    self.service = service
    self.clock = clock
    (news, report) = AsyncStream.makeStream(of: News.self)
  }

  /// - Parameter closing: what must be over before the transport may connect again.
  mutating func start(_ side: RaceSide, _ transport: any HTTPTransport, after closing: Task<Void, Never>?, race: Int) {
    startedAt[side] = clock.now()
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
    headStart = timer(duration, .headStartElapsed(race: race))
  }

  mutating func schedulePatience(_ duration: Duration) {
    patience = timer(duration, .patienceElapsed)
  }

  func cancelHeadStart() {
    headStart?.cancel()
  }

  func cancelPatience() {
    patience?.cancel()
  }

  /// Since this side began to connect.
  func elapsed(_ side: RaceSide) -> Duration {
    startedAt[side].map { clock.now() - $0 } ?? .zero
  }

  mutating func record(_ side: RaceSide, _ result: Result<ConnectionInfo, TransportError>) {
    switch result {
    case .success(let info): connected[side] = info
    case .failure(let error): errors[side] = error
    }
  }

  private func timer(_ duration: Duration, _ item: News) -> Task<Void, Never> {
    Task { [report, clock] in
      do { try await clock.sleep(duration) } catch { return }
      report.yield(item)
    }
  }
}
