import StreamTransport
import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// The open file of an access log. Used on one queue alone; the lock is never waited for.
final class AccessLogTarget: Sendable {
  private struct State {
    var descriptor: Int32
    /// The last write failed, and perhaps in the middle of a line.
    var failures = 0
  }

  private let path: String?
  private let state: Mutex<State>

  init(path: String) throws(PrivateFile.Failure) {
    self.path = path
    state = Mutex(State(descriptor: try Self.open(path)))
  }

  init(standardOutput: Void) {
    path = nil
    state = Mutex(State(descriptor: STDOUT_FILENO))
  }

  deinit {
    if path != nil { state.withLock { _ = close($0.descriptor) } }
  }

  /// Whether exactly one write has failed since the last that did not.
  var isFirstFailure: Bool { state.withLock { $0.failures == 1 } }

  func reopen() throws(PrivateFile.Failure) {
    guard let path else { return }
    let other = try Self.open(path)
    let old = state.withLock { state in
      defer { state = State(descriptor: other) }
      return state.descriptor
    }
    close(old)
  }

  /// Writes whole lines, and answers whether those before them could not be written. A line that was cut off is ended
  /// first, so that it does not take another along.
  func write(_ lines: [UInt8]) throws(PrivateFile.Failure) -> Bool {
    let (descriptor, hasFailed) = state.withLock { ($0.descriptor, $0.failures > 0) }
    do throws(PrivateFile.Failure) {
      try PrivateFile.append(hasFailed ? [UInt8(ascii: "\n")] + lines : lines, to: descriptor)
    } catch {
      state.withLock { $0.failures += 1 }
      throw error
    }
    state.withLock { $0.failures = 0 }
    return hasFailed
  }

  private static func open(_ path: String) throws(PrivateFile.Failure) -> Int32 {
    // Without O_NONBLOCK opening a pipe would wait for its reader.
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o640)
    guard descriptor >= 0 else { throw PrivateFile.Failure("\(path) cannot be opened", errno) }
    // Writes do wait: they have a thread of their own.
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)
    return descriptor
  }
}
