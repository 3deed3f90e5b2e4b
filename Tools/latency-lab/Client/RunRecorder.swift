import LatencyReport
import StreamTransport
import Synchronization

/// Collects what a run's streams see; its size is fixed by the plan.
final class RunRecorder: Sendable {
  private struct State {
    var openings: [ClientRecord.Opening?]
    /// nil until the event came.
    var written: [[Int64?]]
    var received: [[Int64?]]
    var lastReceived: [Int64?]
    var reconnects: [ClientRecord.Reconnect] = []
    /// The stream's last entry in `reconnects` that no event followed yet.
    var openReconnect: [Int?]
    var duplicates = 0
    var connected: Int64?
    var lastBreak: String?
    var failures: [String] = []

    /// Each sentence once, and not too many.
    mutating func fail(_ sentence: String) {
      guard failures.count < 8, !failures.contains(sentence) else { return }
      failures.append(sentence)
    }
  }

  /// Breaks kept for the record; more are only counted in the failure's words.
  static let reconnectLimit = 10_000

  let plan: ClientPlan
  /// Answered when the first stream's first event came.
  let firstOpening = OneShot<Void>()
  private let state: Mutex<State>
  private let onArrival: (@Sendable (EventArrival) -> Void)?

  /// - Parameter onArrival: called with each event that is not a duplicate, on the thread that received it.
  init(plan: ClientPlan, onArrival: (@Sendable (EventArrival) -> Void)? = nil) {
    self.plan = plan
    self.onArrival = onArrival
    let empty = plan.offsetsNanoseconds.map { [Int64?](repeating: nil, count: $0.count) }
    let none = [Int?](repeating: nil, count: empty.count)
    state = Mutex(
      State(
        openings: empty.map { _ in nil }, written: empty, received: empty, lastReceived: empty.map { _ in nil },
        openReconnect: none))
  }

  /// A stream was asked for; later requests for the same stream are reconnects and change nothing.
  func requested(_ stream: Int, _ kind: ClientRecord.Opening.Kind, at time: Int64) {
    state.withLock { state in
      guard state.openings.indices.contains(stream), state.openings[stream] == nil else { return }
      state.openings[stream] = .init(stream: stream, kind: kind, requested: time, firstEvent: nil)
    }
  }

  /// Records the kind of a new connection's handshake, which began as a full one.
  func resumed(_ stream: Int, _ resumption: Resumption) {
    let kind: ClientRecord.Opening.Kind =
      switch resumption {
      case .none: .cold
      case .resumed, .earlyDataRefused: .resumed
      case .earlyDataAccepted: .zeroRTT
      }
    state.withLock { state in
      guard state.openings.indices.contains(stream), let opening = state.openings[stream], opening.kind == .cold,
        opening.firstEvent == nil
      else { return }
      state.openings[stream]?.kind = kind
    }
  }

  /// Records the end of the first connection's handshake; nil where the client does not know it.
  func connected(at time: Int64?) {
    state.withLock { $0.connected = time }
  }

  /// The first event of a request came; only a stream's first one counts.
  func opened(_ stream: Int, at time: Int64) {
    state.withLock { state in
      guard state.openings.indices.contains(stream), state.openings[stream]?.firstEvent == nil else { return }
      state.openings[stream]?.firstEvent = time
    }
    if stream == 0 { firstOpening.answer(.success(())) }
  }

  func received(_ payload: OriginPayload, on stream: Int, at time: Int64) {
    let isNew = state.withLock { state in
      guard state.received.indices.contains(stream), state.received[stream].indices.contains(payload.sequence) else {
        state.fail("Stream \(stream) brought event \(payload.sequence), which the plan does not have.")
        return false
      }
      guard state.received[stream][payload.sequence] == nil else {
        state.duplicates += 1
        return false
      }
      state.received[stream][payload.sequence] = time
      state.written[stream][payload.sequence] = payload.written
      state.lastReceived[stream] = time
      if let place = state.openReconnect[stream] {
        state.reconnects[place].nextEvent = time
        state.openReconnect[stream] = nil
      }
      return true
    }
    guard isNew, let onArrival else { return }
    onArrival(
      EventArrival(stream: stream, sequence: payload.sequence, scheduled: payload.scheduled, received: time))
  }

  /// A stream broke and will be resumed; `reason` in words.
  func broke(_ stream: Int, at time: Int64, reason: String) {
    state.withLock { state in
      state.lastBreak = reason
      // Attempts that fail one after another are one break.
      guard state.openReconnect.indices.contains(stream), state.openReconnect[stream] == nil else { return }
      guard state.reconnects.count < Self.reconnectLimit else {
        return state.fail("More than \(Self.reconnectLimit) breaks; the record has the first ones.")
      }
      state.openReconnect[stream] = state.reconnects.count
      state.reconnects.append(
        .init(stream: stream, noticed: time, lastEvent: state.lastReceived[stream], nextEvent: nil))
    }
  }

  /// Adds a failure to the record.
  func failed(_ sentence: String) {
    state.withLock { $0.fail(sentence) }
  }

  /// All that was seen, in the order of the plan.
  func outcome(start: Int64) -> Outcome {
    state.withLock { state in
      var events: [EventRecord] = []
      events.reserveCapacity(plan.offsetsNanoseconds.reduce(0) { $0 + $1.count })
      for (stream, offsets) in plan.offsetsNanoseconds.enumerated() {
        for (sequence, offset) in offsets.enumerated() {
          events.append(
            EventRecord(
              stream: stream, sequence: sequence, scheduled: start + offset, written: state.written[stream][sequence],
              received: state.received[stream][sequence]))
        }
      }
      return Outcome(
        connected: state.connected, openings: state.openings.compactMap(\.self), events: events,
        reconnects: state.reconnects,
        duplicates: state.duplicates, lastBreak: state.lastBreak, failures: state.failures)
    }
  }

  struct Outcome: Sendable {
    var connected: Int64?
    var openings: [ClientRecord.Opening]
    var events: [EventRecord]
    var reconnects: [ClientRecord.Reconnect]
    var duplicates: Int
    /// The reason for which a stream last broke.
    var lastBreak: String?
    var failures: [String]
  }
}
