import CLinux
import Glibc

/// Tells a service manager the state of this process, each time by a datagram to its socket (sd_notify(3)).
package struct ServiceNotices: Equatable, Sendable {
  /// The state of a service.
  package enum Notice: Hashable, Sendable {
    /// It serves, for the first time or again after it was reloading; with a line for people.
    case ready(String)
    /// It reads its configuration anew, since this monotonic time in microseconds.
    case reloading(since: UInt64)
    /// It ends.
    case stopping
    /// It is alive, which a watchdog waits for.
    case alive

    /// The assignments that are sent, one a line.
    package var text: String {
      switch self {
      case .ready(let status): "READY=1\nSTATUS=\(String(status.map { $0.isNewline ? " " : $0 }))"
      case .reloading(let since): "RELOADING=1\nMONOTONIC_USEC=\(since)\nSTATUS=reading files anew"
      case .stopping: "STOPPING=1\nSTATUS=finishing running requests"
      case .alive: "WATCHDOG=1"
      }
    }
  }

  private let address: String

  /// - Parameter address: ``ServiceEnvironment/noticeAddress``; where there is none, nobody is to be told.
  package init?(_ address: String?) {
    guard let address else { return nil }
    self.address = address
  }

  /// The monotonic time now, in microseconds, as ``Notice/reloading(since:)`` has it.
  package static var microseconds: UInt64 { clinux_now() / 1_000 }

  /// Sends a notice; waits two seconds at most. Throws ``ServiceFailure``.
  package func send(_ notice: Notice) throws(ServiceFailure) {
    var text = notice.text
    let answer = text.withUTF8 { clinux_notice_send(address, $0.baseAddress, $0.count) }
    guard answer == 0 else {
      let reason =
        -answer == EAFNOSUPPORT
        ? "it is neither a path nor an abstract name" : String(cString: strerror(-answer))
      throw ServiceFailure(
        .notice,
        "The service manager is not told '\(notice.text.prefix { $0 != "\n" })' at NOTIFY_SOCKET (\(address)): \(reason); "
          + "NotifyAccess= of the unit has to be main or all.")
    }
  }
}
