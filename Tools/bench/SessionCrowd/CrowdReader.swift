import EventLedger
import Foundation
import HTTPTypes
import StreamTransport
import Synchronization

/// One reader of a session: follows its event stream from the beginning, over another backend whenever it breaks off.
final class CrowdReader: Sendable {
  private struct State {
    var cursor: Int64 = 0
    /// The hash of all bytes so far, in a way that is this process's own.
    var hasher = Hasher()
    var arrival: ContinuousClock.Instant?
  }

  private let number: Int
  private let session: CrowdSession
  private let backends: CrowdBackends
  private let tally: CrowdTally
  private let state = Mutex(State())

  init(_ number: Int, of session: CrowdSession, _ backends: CrowdBackends, _ tally: CrowdTally) {
    self.number = number
    self.session = session
    self.backends = backends
    self.tally = tally
  }

  /// The last event, and a digest of all up to it.
  var progress: (cursor: Int64, digest: Int) { state.withLock { ($0.cursor, $0.hasher.finalize()) } }

  /// Reads until it is cancelled, or something is wrong.
  func run() async {
    var attempt = number
    while !Task.isCancelled {
      do {
        try await read(attempt)
      } catch let error as EventBlocks.Unexpected {
        return tally.fail("reader \(number) after \(progress.cursor): \(error)")
      } catch {
        // Broken off.
      }
      guard !Task.isCancelled else { return }
      // Not all to the next one, which would have the readers of two then.
      attempt = .random(in: 0..<1_000)
      tally.reconnected()
      try? await Task.sleep(for: .milliseconds(Int.random(in: 20...300)))
    }
  }

  private func read(_ attempt: Int) async throws {
    let cursor = progress.cursor
    let path = "/v1/sessions/\(session.id)/events" + (cursor > 0 ? "?cursor=\(cursor)" : "")
    let response = try await backends.send(.get, path, token: session.token, to: attempt)
    let status = response.head.status.code
    guard status == 200 else {
      guard status >= 500 || status == 429 else {
        throw EventBlocks.Unexpected(description: "\(path) is answered with \(status)")
      }
      return
    }
    var blocks = EventBlocks()
    for try await chunk in response.body { try take(chunk, &blocks) }
  }

  private func take(_ chunk: [UInt8], _ blocks: inout EventBlocks) throws {
    var events = 0
    var late: Duration?
    let now = ContinuousClock.now
    let silence = try state.withLock { state in
      try blocks.take(chunk) { id, block in
        guard id == state.cursor + 1 else {
          throw EventBlocks.Unexpected(description: "event \(id) comes after \(state.cursor)")
        }
        state.cursor = id
        state.hasher.combine(bytes: block)
        if events == 0 { late = Self.lateness(of: block) }
        events += 1
        if number == session.recorder { session.record(block) }
      }
      defer { if events > 0 { state.arrival = now } }
      return events > 0 ? state.arrival.map { now - $0 } : nil
    }
    if events > 0 { tally.add(events: events, late: late, silence: silence) }
  }

  /// From the event's own time, which ends in `HH:MM:SS.ffffff+00:00`, to now; within half a day.
  private static func lateness(of block: UnsafeRawBufferPointer) -> Duration? {
    guard let text = EventBlocks.string(after: "\"timestamp\":\"", in: block), text.utf8.count == 32 else { return nil }
    let parts = text.dropFirst(11).dropLast(6).split { $0 == ":" || $0 == "." }.compactMap { Int64($0) }
    guard parts.count == 4 else { return nil }
    let day: Int64 = 86_400_000_000
    let then = ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1_000_000 + parts[3]
    let span = (WallTime.current.microseconds - then) % day
    return .microseconds(span > day / 2 ? span - day : span)
  }
}
