import CLinux
import Foundation

/// The lines that a process writes, as they come: a pipe with a thread that reads it.
///
/// Give ``writingEnd`` as a command's output, start it, and call ``processHasStarted()``; ``lines`` ends when the
/// process and all its descendants have closed theirs.
package final class OutputLines: Sendable {
  /// Longer lines are cut into pieces of this size.
  package static let longestLineBytes = 65_536
  /// Unread lines that are kept; beyond it the oldest are dropped.
  package static let keptLines = 10_000

  package let lines: AsyncStream<String>
  private let writing: OneTimeDescriptor

  package init(name: String) throws(EmulatorError) {
    var ends: [CInt] = [-1, -1]
    try check("pipe", pipe(&ends) < 0 ? -errno : 0)
    let (reading, writingEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (lines, continuation) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingNewest(Self.keptLines))
    self.lines = lines
    writing = OneTimeDescriptor(writingEnd)
    do throws(EmulatorError) {
      try Threads.start(name: name) {
        Self.read(reading) { continuation.yield($0) }
        continuation.finish()
        clinux_close(reading)
      }
    } catch {
      clinux_close(reading)
      throw error
    }
  }

  /// The descriptor to pass to the command.
  package var writingEnd: CInt { writing.number }

  /// Closes our own copy of the writing end, without which the lines would not end.
  package func processHasStarted() { writing.close() }

  private static func read(_ descriptor: CInt, _ each: (String) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    var line: [UInt8] = []
    while true {
      let length = Glibc.read(descriptor, &buffer, buffer.count)
      if length < 0, errno == EINTR { continue }
      guard length > 0 else { break }
      for byte in buffer[..<length] {
        let isEnd = byte == UInt8(ascii: "\n")
        if !isEnd { line.append(byte) }
        guard isEnd || line.count == longestLineBytes else { continue }
        each(String(decoding: line, as: UTF8.self))
        line.removeAll(keepingCapacity: true)
      }
    }
    if !line.isEmpty { each(String(decoding: line, as: UTF8.self)) }
  }
}
