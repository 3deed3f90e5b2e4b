import Glibc
import Logging

/// The number of files and sockets that a process may have open. Shells and systemd begin with 1 024, the most that select(2) can
/// look at.
enum DescriptorLimit {
  /// As many as 1 000 TCP connections, their newcomers, the database and the rest need. With fewer, a client that has them
  /// all keeps others out before the server's own limits share them.
  private static let wanted: rlim_t = 2_048

  /// Raises it as far as this user may.
  static func raise(_ logger: Logger) {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
    guard limit.rlim_max < wanted else { return }
    logger.warning(
      "Only \(limit.rlim_max) files and sockets may be open; give the server \(wanted) (LimitNOFILE= of systemd, ulimit -Hn)."
    )
  }
}
