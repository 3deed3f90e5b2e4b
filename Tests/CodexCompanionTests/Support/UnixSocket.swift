import Glibc

/// Sockets of the system's own, without a program's code around them.
enum UnixSocket {
  /// A connection, on which a read fails after a minute; nil where it is refused.
  static func connected(to path: String) -> Int32? { open(path) { connect($0, $1, $2) } }

  /// A socket that has the path, but does not listen; nil where it cannot have it.
  static func bound(to path: String) -> Int32? { open(path) { bind($0, $1, $2) } }

  private static func open(
    _ path: String, _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
