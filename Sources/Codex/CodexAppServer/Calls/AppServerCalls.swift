package import ResolveKitCore

/// The calls of one connection: numbers their requests, keeps few of them open, matches the answers.
///
/// Pure: it takes facts and their time (`now`, counted from any fixed moment), and returns actions. A call
/// that was cancelled holds its place until its answer or its time limit comes, since codex still works on it.
package struct AppServerCalls {
  /// The name of a call, given by its maker; a request's id is new with each attempt.
  package typealias Number = UInt64

  /// The actions to perform, in order.
  package enum Action: Equatable {
    case send(id: Int, method: String, params: JSONValue)
    case finish(Number, Result<JSONValue, AppServerError>)
  }

  private enum State {
    case waiting
    case open(id: Int)
    case abandoned(id: Int)
    case backingOff(until: Duration)
  }

  private struct Call {
    let method: String
    let params: JSONValue
    let deadline: Duration
    var attempts = 0
    var state = State.waiting
  }

  /// No call takes longer; what is added to a time stays far from the bounds of its type.
  private static let longestTime = Duration.seconds(86_400 * 365)

  private let limits: AppServerLimits
  private var calls: [Number: Call] = [:]
  /// The calls by the ids of their open requests.
  private var numbers: [Int: Number] = [:]
  private var queue: [Number] = []
  private var lastID = 0
  private var end: AppServerError?
  /// Answers for which there was no request, or none any more.
  package private(set) var unmatchedAnswers = 0

  package init(limits: AppServerLimits = AppServerLimits()) {
    self.limits = limits
  }

  /// Whether an answer is awaited.
  package var hasOpen: Bool { !numbers.isEmpty }

  /// The time at which ``timePassed(now:)`` is due; nil for never.
  package var deadline: Duration? {
    calls.values.map { call in
      if case .backingOff(let end) = call.state { min(end, call.deadline) } else { call.deadline }
    }.min()
  }

  /// Makes a call. Its number must be new.
  package mutating func add(
    _ number: Number, _ method: String, _ params: JSONValue, within time: Duration, now: Duration
  ) -> [Action] {
    if let end { return [.finish(number, .failure(end))] }
    guard calls.count - numbers.count < limits.waitingCalls else {
      return [
        .finish(
          number,
          .failure(
            AppServerError(
              .tooManyCalls, "\(limits.waitingCalls) calls to codex wait already; try again when it answers.")))
      ]
    }
    calls[number] = Call(method: method, params: params, deadline: now + min(max(.zero, time), Self.longestTime))
    queue.append(number)
    return fill()
  }

  /// Cancels a call that nobody waits for any more; one that is not known, or has ended, is passed over.
  package mutating func cancel(_ number: Number) {
    switch calls[number]?.state {
    case nil, .abandoned: break
    case .open(let id): calls[number]?.state = .abandoned(id: id)
    case .waiting, .backingOff: forget(number)
    }
  }

  /// An answer came.
  package mutating func received(
    _ answer: Result<JSONValue, AppServerRefusal>, for id: AppServerID?, now: Duration,
    using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    guard case .integer(let id) = id, let number = numbers[id], let call = calls[number] else {
      unmatchedAnswers &+= 1
      return []
    }
    numbers[id] = nil
    switch call.state {
    case .abandoned:
      forget(number)
      return fill()
    case .waiting, .open, .backingOff: break
    }
    if case .failure(let refusal) = answer, refusal.code == AppServerRefusal.overloaded, call.attempts < limits.attempts
    {
      let end = now + wait(after: call.attempts, &generator)
      if end < call.deadline {
        calls[number]?.state = .backingOff(until: end)
        return fill()
      }
    }
    forget(number)
    return [.finish(number, answer.mapError { Self.error($0, call.method) })] + fill()
  }

  /// The time is `now`.
  package mutating func timePassed(now: Duration) -> [Action] {
    var actions: [Action] = []
    for (number, call) in calls.sorted(by: { $0.key < $1.key }) {
      if call.deadline <= now {
        forget(number)
        if case .abandoned = call.state { continue }
        let message = "Codex did not answer \(call.method) in time; look whether it was done before you ask again."
        actions.append(.finish(number, .failure(AppServerError(.timedOut, message))))
      } else if case .backingOff(let end) = call.state, end <= now {
        calls[number]?.state = .waiting
        queue.append(number)
      }
    }
    // Those that were sent before come before those that still wait.
    queue.sort()
    return actions + fill()
  }

  /// The connection is over: all calls end, as do those that are made later.
  package mutating func finish(_ error: AppServerError) -> [Action] {
    guard end == nil else { return [] }
    end = error
    let unfinished = calls.sorted { $0.key < $1.key }.filter { call in
      if case .abandoned = call.value.state { false } else { true }
    }
    calls = [:]
    numbers = [:]
    queue = []
    return unfinished.map { .finish($0.key, .failure(error)) }
  }

  /// Sends what there is room for.
  private mutating func fill() -> [Action] {
    var actions: [Action] = []
    while numbers.count < limits.openCalls, !queue.isEmpty {
      let number = queue.removeFirst()
      guard let call = calls[number] else { continue }
      lastID += 1
      numbers[lastID] = number
      calls[number]?.state = .open(id: lastID)
      calls[number]?.attempts += 1
      actions.append(.send(id: lastID, method: call.method, params: call.params))
    }
    return actions
  }

  private mutating func forget(_ number: Number) {
    switch calls.removeValue(forKey: number)?.state {
    case .open(let id), .abandoned(let id): numbers[id] = nil
    case .waiting: queue.removeAll { $0 == number }
    case .backingOff, nil: break
    }
  }

  /// Between a half and the whole of first wait · 2ⁿ⁻¹: calls that were refused together must not come back together.
  private func wait(after attempts: Int, _ generator: inout some RandomNumberGenerator) -> Duration {
    var longest = min(limits.firstWait, limits.longestWait)
    for _ in 1..<max(1, attempts) where longest < limits.longestWait {
      longest = min(longest + longest, limits.longestWait)
    }
    return longest * Double.random(in: 0.5...1, using: &generator)
  }

  private static func error(_ refusal: AppServerRefusal, _ method: String) -> AppServerError {
    // Its text may have come from anywhere, and may go to a terminal.
    let text = JSONValue.string(refusal.message).cut(toBytes: 500).visibleText
    return AppServerError(.refused(refusal), "Codex refused \(method): \(text) (\(refusal.code)).")
  }
}
