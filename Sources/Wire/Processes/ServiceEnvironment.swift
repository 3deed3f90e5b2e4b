import CLinux
import Glibc

/// What a service manager gives a process that it starts: open descriptors (sd_listen_fds(3)), the address of a socket that
/// takes notices (sd_notify(3)), and the time within which it wants a sign of life (sd_watchdog_enabled(3)).
package struct ServiceEnvironment: Hashable, Sendable {
  /// An open descriptor, and the name that the service manager has for it (`FileDescriptorName=`).
  package struct Descriptor: Hashable, Sendable {
    package let number: CInt
    package let name: String
  }

  /// The descriptors that were passed, in their order.
  package let descriptors: [Descriptor]
  /// The address that notices are sent to, a path or an abstract name behind '@'; nil where nobody wants any.
  package let noticeAddress: String?
  /// The longest time between two signs of life; nil where nobody waits for them.
  package let watchdogTime: Duration?

  /// The first descriptor that is passed (SD_LISTEN_FDS_START).
  private static let first: CInt = 3
  private static let mostDescriptors: CInt = 1_024
  private static let names = [
    "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID", "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC",
  ]

  /// Takes what this process was given, once: its variables are removed, and its descriptors kept from programs that this one
  /// starts, so that none of them takes for its own what it inherits.
  ///
  /// Call it before other threads read the environment. Throws ``ServiceFailure`` for variables that cannot be read, and for
  /// descriptors that are not open.
  package static func take() throws(ServiceFailure) -> ServiceEnvironment {
    var variables: [String: String] = [:]
    for name in names {
      if let value = getenv(name) { variables[name] = String(cString: value) }
      unsetenv(name)
    }
    let environment = try ServiceEnvironment(variables, process: getpid())
    for descriptor in environment.descriptors {
      let answer = clinux_close_on_exec(descriptor.number)
      guard answer == 0 else {
        throw ServiceFailure(
          .descriptor,
          "LISTEN_FDS promises \(environment.descriptors.count) descriptors, and \(descriptor.number) is not open; let systemd "
            + "start the program, or pass as many sockets from 3 on as LISTEN_FDS says.")
      }
    }
    return environment
  }

  /// Reads the variables.
  ///
  /// - Parameters:
  ///   - variables: those of the process, or some of them.
  ///   - process: the process's number; what is for another is passed over.
  package init(_ variables: [String: String], process: Int32) throws(ServiceFailure) {
    if let count = try Self.descriptorCount(variables, process) {
      let names = variables["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      descriptors = (0..<count).map { index in
        let name = names.flatMap { $0.count == Int(count) ? $0[Int(index)] : nil }
        return Descriptor(number: Self.first + index, name: name ?? "unknown")
      }
    } else {
      descriptors = []
    }
    noticeAddress = variables["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    watchdogTime = try Self.watchdogTime(variables, process)
  }

  private static func descriptorCount(
    _ variables: [String: String], _ process: Int32
  ) throws(ServiceFailure) -> CInt? {
    guard let owner = variables["LISTEN_PID"], let text = variables["LISTEN_FDS"] else { return nil }
    guard let number = Int32(owner), number > 0 else { throw unreadable("LISTEN_PID", owner) }
    guard number == process else { return nil }
    guard let count = CInt(text), (1...mostDescriptors).contains(count) else { throw unreadable("LISTEN_FDS", text) }
    return count
  }

  private static func watchdogTime(
    _ variables: [String: String], _ process: Int32
  ) throws(ServiceFailure) -> Duration? {
    if let owner = variables["WATCHDOG_PID"] {
      guard let number = Int32(owner), number > 0 else { throw unreadable("WATCHDOG_PID", owner) }
      guard number == process else { return nil }
    }
    guard let text = variables["WATCHDOG_USEC"] else { return nil }
    guard let microseconds = Int64(text), microseconds > 0 else { throw unreadable("WATCHDOG_USEC", text) }
    return .microseconds(microseconds)
  }

  private static func unreadable(_ name: String, _ value: String) -> ServiceFailure {
    ServiceFailure(.variable, "\(name) is '\(value)', which no service manager sets; remove it from the environment.")
  }
}
