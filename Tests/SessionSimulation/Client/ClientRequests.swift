import EventStream
import LinkModel
import ResolveKitCore

/// The client's calls of the session API; what comes of each is an event for the machine.
final class ClientRequests {
  private let life: Life
  private let session: String
  private let link: SimulatedLink
  private let now: () -> MonotonicNanoseconds
  private let observe: (Observation) -> Void
  private let report: (TurnEvent) -> Void
  private var generator: SeededGenerator
  /// Requests that are not answered.
  private(set) var pending = 0

  init(
    of session: String, life: Life, _ link: SimulatedLink, seed: UInt64, now: @escaping () -> MonotonicNanoseconds,
    observe: @escaping (Observation) -> Void, report: @escaping (TurnEvent) -> Void
  ) {
    self.session = session
    self.life = life
    self.link = link
    self.now = now
    self.observe = observe
    self.report = report
    generator = SeededGenerator(seed: seed)
  }

  private func request<Value>(
    _ name: String,
    _ serve: @escaping (BackendProcess, @escaping (Result<Value, RequestFailure>) -> Void) -> Void,
    then: @escaping (Result<Value, RequestFailure>) -> Void
  ) {
    pending += 1
    link.request(name, from: life, serve) {
      self.pending -= 1
      then($0)
    }
  }

  func register() {
    request("register") { (_, answer: @escaping (Result<Void, RequestFailure>) -> Void) in
      answer(.success(()))
    } then: { result in
      switch result {
      case .success: self.report(.registered)
      case .failure(let failure): self.report(.registrationFailed(failure, isFinal: false))
      }
    }
  }

  /// - Parameter onAnswer: takes the session up before the machine hears of it.
  func createSession(onAnswer: @escaping (String, Bool) -> Void) {
    request("create") { [session] in
      $0.open(session, then: $1)
    } then: { result in
      switch result {
      case .success((let id, let isReused)): onAnswer(id, isReused)
      case .failure(let failure): self.report(.sessionFailed(failure))
      }
    }
  }

  func post(_ message: OutgoingMessage) {
    observe(.messagePosted(request: message.requestID, text: message.text))
    let turn = "\(session).turn-\(generator.next())"
    request("message") { [session] in
      $0.begin(turn, of: session, request: message.requestID, text: message.text, then: $1)
    } then: { result in
      switch result {
      case .success(let turn):
        self.report(.messageAccepted(requestID: message.requestID, turnID: turn, at: self.now()))
      case .failure(let failure):
        self.report(.messageFailed(requestID: message.requestID, failure, at: self.now()))
      }
    }
  }

  func deliver(_ payload: ResolveKitToolResultPayload, for key: ToolCallKey) {
    let body = payload.result?.jsonText ?? payload.error ?? ""
    observe(.resultPosted(Observation.Call(key), key: payload.idempotencyKey, body: "\(payload.status) \(body)"))
    request("result") { [session] in
      $0.take(payload, of: session, then: $1)
    } then: { result in
      switch result {
      case .success(let isKnown): self.report(.resultAccepted(key, deduplicated: isKnown, at: self.now()))
      case .failure(let failure): self.report(.resultFailed(key, failure, at: self.now()))
      }
    }
  }

  func stopTurn(_ turn: String) {
    request("cancel") { (backend, answer: @escaping (Result<Void, RequestFailure>) -> Void) in
      backend.cancel(turn)
      answer(.success(()))
    } then: { _ in
    }
  }

  func loadHistory() {
    request("history") { [session] in
      $0.history(of: session, then: $1)
    } then: { result in
      switch result {
      case .success(let messages): self.report(.historyLoaded(messages, at: self.now()))
      case .failure(let failure): self.report(.historyFailed(failure, at: self.now()))
      }
    }
  }

  /// Waits for the back-off after so many failures in a row.
  func retry(_ step: RetryStep, attempt: Int, atLeast seconds: Int?) {
    var backoff = Backoff()
    var delay = Duration.zero
    for _ in 0..<min(max(attempt, 1), 16) { delay = backoff.delay(after: .refused(retryAfter: nil), using: &generator) }
    let wait = max(delay, .seconds(seconds ?? 0))
    life.after(milliseconds: Int(clamping: wait.nanoseconds / 1_000_000)) { self.report(.retryDue(step)) }
  }
}
