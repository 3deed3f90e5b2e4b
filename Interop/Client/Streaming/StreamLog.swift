import Foundation
import StreamRecord
import Synchronization

/// Writes `STREAM.jsonl`, each line as soon as it is known, so that what a killed client has seen is there too.
final class StreamLog: Sendable {
  private struct State {
    var file: FileHandle
    var pending = Data()
  }

  /// Bytes that may wait to be written: a write for each event of a fast stream would be what is measured.
  private static let bufferSize = 32 << 10

  private let state: Mutex<State>

  /// Makes or empties the file at `path`.
  init(path: String) throws {
    try Data().write(to: URL(fileURLWithPath: path))
    state = Mutex(State(file: try FileHandle(forWritingTo: URL(fileURLWithPath: path))))
  }

  /// - Parameter isUrgent: whether it is written at once, along with what waits.
  func write(_ line: StreamLine, isUrgent: Bool = true) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var bytes = try encoder.encode(line)
    bytes.append(UInt8(ascii: "\n"))
    try state.withLock { state in
      state.pending.append(bytes)
      guard isUrgent || state.pending.count >= Self.bufferSize else { return }
      defer { state.pending.removeAll(keepingCapacity: true) }
      try state.file.write(contentsOf: state.pending)
    }
  }

  func close() throws {
    try state.withLock { state in
      try state.file.write(contentsOf: state.pending)
      state.pending = Data()
      try state.file.close()
    }
  }
}
