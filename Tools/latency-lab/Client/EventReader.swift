import EventStream
import NIOCore

/// Reads one stream's bytes for the recorder, over any number of responses.
struct EventReader {
  enum Outcome: Hashable {
    case more
    /// A tool's result is wanted.
    case tool
    case end
  }

  private let stream: Int
  private let recorder: RunRecorder
  private var parser = EventStreamParser(limits: StreamClientRules.limits)

  init(stream: Int, recorder: RunRecorder) {
    self.stream = stream
    self.recorder = recorder
  }

  /// The sequence to ask for.
  var next: Int { StreamClientRules.next(after: parser.lastEventID) }

  /// A new response begins.
  mutating func restart() {
    parser.restart()
  }

  /// Throws ``StreamClientError`` for what no origin sends.
  mutating func read(_ buffer: ByteBuffer, at arrived: Int64) throws(StreamClientError) -> Outcome {
    var outcome = Outcome.more
    var foreign: String?
    do throws(EventStreamError) {
      try buffer.withUnsafeReadableBytes { bytes throws(EventStreamError) in
        try parser.parse(bytes) { item in
          guard case .event(let event) = item else { return }
          switch OriginEvent(event) {
          case .opened: recorder.opened(stream, at: arrived)
          case .token(let payload): recorder.received(payload, on: stream, at: arrived)
          case .tool(let payload):
            recorder.received(payload, on: stream, at: arrived)
            if outcome == .more { outcome = .tool }
          case .end: outcome = .end
          case .unknown: foreign = event.type
          }
        }
      }
    } catch {
      throw StreamClientError(error.description)
    }
    if let foreign { throw StreamClientError("The server sent an event that is not the origin's: \(foreign).") }
    return outcome
  }
}
