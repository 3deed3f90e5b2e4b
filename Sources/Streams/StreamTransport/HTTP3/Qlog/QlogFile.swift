import Glibc
package import HTTP3Engine
import Synchronization

/// The trace of one connection on disk; closed when nobody holds it any more and all of it is written.
package final class QlogFile: Sendable {
  private enum State {
    case new
    case open(Int32, file: String)
    /// A write failed, or there is no room; the rest is left out, so that a record is never torn in the middle of a file.
    case failed
  }

  private let directory: QlogDirectory
  /// Used on the directory's queue alone.
  private let state = Mutex(State.new)

  init(in directory: QlogDirectory) {
    self.directory = directory
  }

  deinit {
    state.withLock { state in
      guard case .open(let descriptor, let file) = state else { return }
      close(descriptor)
      directory.didClose(file)
    }
  }

  /// Whether more may be taken from the engine.
  package var hasRoom: Bool { directory.hasRoom }

  /// Writes a part of the trace, later and in the order of the calls.
  package func append(_ output: QlogOutput) {
    directory.enqueue(output.bytes.count) { [self] in write(output) }
  }

  private func write(_ output: QlogOutput) {
    state.withLock { state in
      if case .new = state {
        state = directory.open(output.name).map { .open($0.descriptor, file: $0.file) } ?? .failed
      }
      guard case .open(let descriptor, let file) = state else { return }
      do throws(PrivateFile.Failure) {
        if directory.hasRoom(for: output.bytes.count, in: file) {
          return try PrivateFile.append(output.bytes, to: descriptor)
        }
      } catch {
        directory.report(error.description)
      }
      close(descriptor)
      directory.didClose(file)
      state = .failed
    }
  }
}
