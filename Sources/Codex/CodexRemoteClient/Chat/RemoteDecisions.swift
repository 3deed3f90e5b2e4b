import EventStream
import ResolveKitCore

/// Answers to questions on their way: each tried again while it is not known whether it arrived.
///
/// The companion takes one answer to a question, so that an answer may be sent twice and counts once.
struct RemoteDecisions: Equatable, Sendable {
  /// An answer to be sent.
  struct Answer: Equatable {
    let id: String
    let decision: RemoteDecision
    let content: JSONObject?
  }

  /// The consequence of a failed request for its answer.
  enum Failure: Equatable {
    /// The answer is sent again; the first time is reported.
    case retrying(isFirst: Bool)
    /// Answered; whether this answer or another one counted is unknown.
    case superseded
    case refused
  }

  private struct Entry: Equatable {
    let answer: Answer
    var attempt = 1
    /// The time at which it is sent again; nil while its request runs.
    var due: Duration?
    /// Whether the question is gone, so that it is not sent again.
    var isOver = false
    var backoff = Backoff()
  }

  private let attempts: Int
  private var entries: [String: Entry] = [:]

  init(limits: RemoteChatLimits) { attempts = limits.attempts }

  /// The time at which an answer is to be sent again; nil where none waits.
  var nextDeadline: Duration? { entries.values.compactMap(\.due).min() }

  /// Takes an answer to be sent now; false where one to this question is on its way.
  mutating func begin(_ answer: Answer) -> Bool {
    guard entries[answer.id] == nil else { return false }
    entries[answer.id] = Entry(answer: answer)
    return true
  }

  /// The answers to send now.
  mutating func due(at now: Duration) -> [Answer] {
    let due = entries.values.filter { $0.due.map { $0 <= now } ?? false }.sorted { $0.answer.id < $1.answer.id }
    for entry in due { entries[entry.answer.id]?.due = nil }
    return due.map(\.answer)
  }

  /// The way is free again: what waits is due.
  mutating func retryNow(at now: Duration) {
    for (id, entry) in entries where entry.due != nil { entries[id]?.due = now }
  }

  /// The answer was taken.
  mutating func end(_ id: String) { entries[id] = nil }

  /// The question is gone. The outcome of a request that runs is still reported.
  mutating func questionGone(_ id: String) {
    if entries[id]?.due != nil { entries[id] = nil } else { entries[id]?.isOver = true }
  }

  /// A request failed.
  mutating func failed(
    _ id: String, _ error: RemoteError, at now: Duration, using generator: inout some RandomNumberGenerator
  ) -> Failure {
    guard var entry = entries.removeValue(forKey: id) else { return .refused }
    if error.isTransient, !entry.isOver, entry.attempt < attempts {
      entry.due = now + entry.backoff.delay(after: .refused(retryAfter: error.retryAfter), using: &generator)
      entry.attempt += 1
      entries[id] = entry
      return .retrying(isFirst: entry.attempt == 2)
    }
    // What was sent before may have arrived, and then it is this answer that counted.
    let isOver = error.code == .conflict || entry.isOver && error.code == .notFound
    return isOver && entry.attempt > 1 ? .superseded : .refused
  }
}
