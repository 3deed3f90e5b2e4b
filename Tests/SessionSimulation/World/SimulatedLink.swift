import LinkModel
import ResolveKitCore

/// The way from the client to the backends: which of them a request reaches, how long it takes, and its outcome.
final class SimulatedLink {
  private let agenda: Agenda
  private let lineEnd: SessionSchedule.Setting.LineEnd
  private let observe: SessionObserver
  private var generator: SeededGenerator
  private var fates: [RequestFate] = []
  /// Backends that take connections, those among them that stand still.
  private(set) var backends: [BackendProcess] = []
  /// Actions for a backend's end, by its number.
  private var breaks: [Int: [() -> Void]] = [:]
  private var connections = 0

  /// The time that the client waits for an answer.
  private static let patience = 30_000

  init(
    on agenda: Agenda, seed: UInt64, lineEnd: SessionSchedule.Setting.LineEnd,
    observe: @escaping SessionObserver
  ) {
    self.agenda = agenda
    self.lineEnd = lineEnd
    self.observe = observe
    generator = SeededGenerator(seed: seed ^ 0x117)
  }

  private func latency() -> Int { Int.random(in: 1...40, using: &generator) }

  // MARK: Backends

  func connect(_ backend: BackendProcess) { backends.append(backend) }

  /// All of a backend's connections break.
  func disconnect(_ backend: BackendProcess) {
    backends.removeAll { $0 === backend }
    let broken = breaks.removeValue(forKey: backend.number) ?? []
    agenda.after(milliseconds: latency()) { for tell in broken { tell() } }
  }

  private func whenBroken(_ backend: BackendProcess, _ body: @escaping () -> Void) {
    breaks[backend.number, default: []].append(body)
  }

  private func anyBackend() -> BackendProcess? { backends.randomElement(using: &generator) }

  /// Forgets whom to tell.
  func clear() {
    backends = []
    breaks = [:]
  }

  // MARK: Faults

  func disturb(_ fate: RequestFate, count: Int) { fates += Array(repeating: fate, count: min(max(count, 0), 100)) }

  func heal() { fates = [] }

  private func nextFate(of request: String) -> RequestFate? {
    guard !fates.isEmpty else { return nil }
    let fate = fates.removeFirst()
    // These carry the key alone.
    if fate == .expired, request == "register" || request == "create" { return nil }
    observe(.fault("\(request) \(fate)"), nil)
    return fate
  }

  // MARK: Requests

  /// Sends a request; `then` is called once, while the client lives.
  func request<Value>(
    _ name: String, from life: Life,
    _ serve: @escaping (BackendProcess, @escaping (Result<Value, RequestFailure>) -> Void) -> Void,
    then: @escaping (Result<Value, RequestFailure>) -> Void
  ) {
    var isAnswered = false
    let answer: (Result<Value, RequestFailure>) -> Void = { result in
      life.run {
        guard !isAnswered else { return }
        isAnswered = true
        then(result)
      }
    }
    let fate = nextFate(of: name)
    switch fate {
    case .unreachable: return agenda.after(milliseconds: latency()) { answer(.failure(Self.unreachable)) }
    case .refused:
      return agenda.after(milliseconds: latency()) { answer(.failure(RequestFailure(status: 503, message: "busy"))) }
    case .expired: return agenda.after(milliseconds: latency()) { answer(.failure(Self.expired)) }
    case .late, .timedOut, .reset, .badGateway, nil: break
    }
    agenda.after(milliseconds: Self.patience) {
      answer(.failure(RequestFailure(message: "No answer from the server within 30 s.")))
    }
    let way = fate == .late ? Int.random(in: 20_000...90_000, using: &generator) : latency()
    agenda.after(milliseconds: way) {
      guard let backend = self.anyBackend() else { return answer(.failure(Self.unreachable)) }
      self.whenBroken(backend) { answer(.failure(RequestFailure(message: "The connection was reset."))) }
      backend.life.run {
        serve(backend) { result in
          self.agenda.after(milliseconds: self.latency()) {
            switch fate {
            case .reset: answer(.failure(RequestFailure(message: "The connection was reset.")))
            case .badGateway: answer(.failure(RequestFailure(status: 502, message: "bad gateway")))
            case .timedOut: break
            case .late, .unreachable, .refused, .expired, nil: answer(result)
            }
          }
        }
      }
    }
  }

  private static let expired = RequestFailure(status: 401, message: "The token has expired.")
  private static let unreachable = RequestFailure(message: "There is no connection to the server.")

  // MARK: Streams

  /// Opens a session's event stream behind a cursor; the connection's receiver gets the outcome.
  func openStream(
    of session: String, after cursor: String?, to receiver: any StreamReceiver, from life: Life
  ) -> StreamConnection {
    connections += 1
    let connection = StreamConnection(
      number: connections, on: agenda, seed: generator.next(), lineEnd: lineEnd, to: receiver, of: life,
      observe: { [observe] in observe($0, session) })
    switch nextFate(of: "stream") {
    case .unreachable, .reset: agenda.after(milliseconds: latency()) { connection.refuse(nil) }
    case .refused, .badGateway:
      agenda.after(milliseconds: latency()) { connection.refuse(RequestFailure(status: 503, message: "busy")) }
    case .expired: agenda.after(milliseconds: latency()) { connection.refuse(Self.expired) }
    case .timedOut, .late: agenda.after(milliseconds: Self.patience) { connection.refuse(nil) }
    case nil:
      agenda.after(milliseconds: latency()) {
        guard let backend = self.anyBackend() else { return connection.refuse(nil) }
        self.whenBroken(backend) { connection.breakOff() }
        let server = StreamServer(backend, session, connection, cursor: cursor.flatMap { Int64($0) } ?? 0)
        backend.life.run { server.open() }
      }
    }
    return connection
  }
}
