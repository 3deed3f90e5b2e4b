import Foundation
import HTTPTypes
import ResolveKitCore
import Synchronization

/// A session that is talked in, and the record that its first reader makes of it.
final class CrowdSession: Sendable {
  private struct State {
    /// The last message whose turn is over.
    var ended = 0
    /// Events that were recorded.
    var events = 0
    var buffer: [UInt8] = []
  }

  let id: String
  let token: String
  /// The number of the reader whose events are kept.
  let recorder: Int
  private let file: FileHandle
  private let state = Mutex(State())

  /// Opens a session at one of the backends.
  ///
  /// - Parameter folder: where the record is written, a line of JSON for each event.
  init(_ backends: CrowdBackends, recorder: Int, folder: String) async throws {
    let answer = try await backends.persist(.post, "/v1/sessions", #"{"available_function_names":[]}"#, from: recorder)
    guard let json = try JSONValue(parsing: answer).objectValue, let id = json["id"]?.stringValue,
      let token = json["chat_capability_token"]?.stringValue
    else { throw EventBlocks.Unexpected(description: "the answer to a new session has no id and token") }
    (self.id, self.token, self.recorder) = (id, token, recorder)
    let path = "\(folder)/\(id)"
    guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
    else { throw EventBlocks.Unexpected(description: "'\(path)' cannot be written") }
    self.file = file
  }

  /// Says one message after another, each once the turn before is over, until a moment.
  ///
  /// - Parameter pace: events a second beyond which a message waits; what was held up by others may be made up for. nil for
  ///   as many as there can be.
  func talk(_ text: String, to backends: CrowdBackends, pace: Double?, until end: ContinuousClock.Instant) async throws
  {
    let start = ContinuousClock.now
    var number = 0
    while true {
      if let pace {
        let due = start + .seconds(Double(state.withLock { $0.events }) / pace)
        try await Task.sleep(until: min(due, end), clock: .continuous)
      }
      guard ContinuousClock.now < end else { return }
      number += 1
      let body: JSONValue = ["text": .string(text), "request_id": .string("\(number)")]
      _ = try await backends.persist(
        .post, "/v1/sessions/\(id)/messages", body.jsonText, token: token, from: recorder + number)
      while state.withLock({ $0.ended < number }) { try await Task.sleep(for: .milliseconds(2)) }
    }
  }

  /// Keeps an event.
  func record(_ block: UnsafeRawBufferPointer) {
    guard let start = EventBlocks.find("\ndata: ", in: block) else { return }
    let isLast = ["turn_complete", "error"].contains { type in
      EventBlocks.string(after: "\"type\":\"", in: block) == type
    }
    let request = isLast ? EventBlocks.string(after: "\"request_id\":\"", in: block).flatMap { Int($0) } : nil
    state.withLock { state in
      state.buffer += block[(start + 7)...]
      state.buffer.append(0x0A)
      state.events += 1
      state.ended = max(state.ended, request ?? 0)
      if state.buffer.count > 1 << 20 { write(&state) }
    }
  }

  /// Writes what is left of the record.
  func close() throws {
    state.withLock { write(&$0) }
    try file.close()
  }

  private func write(_ state: inout State) {
    file.write(Data(state.buffer))
    state.buffer = []
  }
}
