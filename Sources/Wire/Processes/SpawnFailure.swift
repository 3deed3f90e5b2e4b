import Glibc

/// The failure to start a program.
package struct SpawnFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package var name: String
  /// The system's error number.
  package var errno: Int32

  package init(name: String, errno: Int32) {
    self.name = name
    self.errno = errno
  }

  /// The system's words for it, such as "No such file or directory".
  package var reason: String { String(cString: strerror(errno)) }
  package var description: String { "\(name) cannot be started: \(reason)." }
}
