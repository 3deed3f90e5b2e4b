import Foundation
import Glibc
import Synchronization

/// The destination of bodies and events: standard output, or a file that is made with its first byte.
final class Sink: Sendable {
  enum Failure: Error, CustomStringConvertible {
    /// The reader of standard output has left, as `head` does.
    case readerLeft
    case cannotWrite(String)

    var description: String {
      switch self {
      case .readerLeft: "Nobody reads standard output any more."
      case .cannotWrite(let sentence): sentence
      }
    }
  }

  private let file: String?
  private let descriptor: Mutex<Int32?>

  init(file: String?) {
    self.file = file
    descriptor = Mutex(file == nil ? STDOUT_FILENO : nil)
  }

  deinit {
    if file != nil, let open = descriptor.withLock({ $0 }) { close(open) }
  }

  func write(_ text: String) throws(Failure) {
    try write(Array(text.utf8))
  }

  /// Waits until all is written.
  func write(_ bytes: [UInt8]) throws(Failure) {
    let target = try opened()
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
      guard count < 0 else {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Standard output was given to this program that way.
        var wanted = pollfd(fd: target, events: Int16(POLLOUT), revents: 0)
        poll(&wanted, 1, -1)
      case EPIPE where file == nil: throw .readerLeft
      default: throw cannotWrite()
      }
    }
  }

  /// Calls `action` when the reader of standard output's pipe has left, also while there is nothing to write.
  func whenReaderLeaves(_ action: @escaping @Sendable () -> Void) {
    var status = stat()
    guard file == nil, fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
    // For as long as the process lives: errors alone are waited for, which come once.
    Thread.detachNewThread {
      var pipe = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&pipe, 1, -1) < 0, errno == EINTR {}
      if Int32(pipe.revents) & POLLERR != 0 { action() }
    }
  }

  private func opened() throws(Failure) -> Int32 {
    try descriptor.withLock { descriptor throws(Failure) in
      if let descriptor { return descriptor }
      let new = open(file ?? "", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
      guard new >= 0 else { throw cannotWrite() }
      descriptor = new
      return new
    }
  }

  private func cannotWrite() -> Failure {
    let reason = String(cString: strerror(errno))
    return .cannotWrite("\(file.map { "The file \($0)" } ?? "Standard output") cannot be written: \(reason).")
  }
}
