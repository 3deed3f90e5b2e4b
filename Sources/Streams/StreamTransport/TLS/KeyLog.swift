import Glibc
import Synchronization

/// Appends TLS secrets to a file, one line each, in the format of `SSLKEYLOGFILE` (RFC 9850).
package final class KeyLog: Sendable {
  private let descriptor: Int32
  private let order = Mutex(())

  /// Opens `path` for appending, readable by its owner alone where it is new; throws ``TransportError`` with `tls`.
  package init(path: String) throws(TransportError) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw TransportError(.tls, "The key log \(path) cannot be opened: \(String(cString: strerror(errno))).")
    }
  }

  deinit { close(descriptor) }

  /// Appends one line; its line end is added where missing.
  ///
  /// A write that fails loses the line: a full disk must not end the connection that is being looked into.
  package func append(_ line: String) {
    var bytes = Array(line.utf8)
    if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    order.withLock { _ in
      _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
  }
}
