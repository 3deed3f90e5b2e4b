import CLinux

/// The operations that a file descriptor can do without blocking.
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let readable = Readiness(rawValue: UInt32(CLINUX_READABLE))
  package static let writable = Readiness(rawValue: UInt32(CLINUX_WRITABLE))
  /// An error or a hang-up waits to be read; epoll reports it unasked.
  package static let failed = Readiness(rawValue: UInt32(CLINUX_FAILED))
  /// Asks for one report each time that it becomes ready, not as long as it is.
  static let once = Readiness(rawValue: UInt32(CLINUX_ONCE))
}
