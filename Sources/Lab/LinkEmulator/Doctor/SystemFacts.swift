import CLinux
import Foundation

/// The properties of this machine that decide how well links can be emulated.
package struct SystemFacts: Codable, Hashable, Sendable {
  package var kernel: String
  package var architecture: String
  package var processorCount: Int
  package var loadAverages: [Double]
  /// Share of processor time that was idle just now, 0 to 1.
  package var idleShare: Double?
  /// The processors' frequency governor; nil where the machine does not report it, as most virtual ones.
  package var frequencyGovernor: String?
  package var clockSource: String?
  package var isTUNAccessible: Bool
  package var isRoot: Bool
  /// "ready", or what is in the way and how to remove it.
  package var privileges: String
  package var mayMakeLinks: Bool
  package var congestionControls: [String]
  package var defaultCongestionControl: String?
  package var defaultTimerSlackNanoseconds: Int?
  package var maySetTimerSlack: Bool
  package var mayUseRealtime: Bool
  package var mayLockMemory: Bool

  /// Looks; takes about a third of a second, for the idle share.
  package static func gather() throws(EmulatorError) -> SystemFacts {
    let (privileges, mayMakeLinks) = describedPrivileges()
    let thread = try ThreadFacts.gather()
    var name = utsname()
    uname(&name)
    return SystemFacts(
      kernel: string(name.sysname) + " " + string(name.release), architecture: string(name.machine),
      processorCount: ProcessInfo.processInfo.activeProcessorCount, loadAverages: loadAverages(),
      idleShare: idleShare(), frequencyGovernor: line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
      clockSource: line("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
      isTUNAccessible: access("/dev/net/tun", R_OK | W_OK) == 0, isRoot: geteuid() == 0, privileges: privileges,
      mayMakeLinks: mayMakeLinks, congestionControls: TCPCongestionControl.available,
      defaultCongestionControl: TCPCongestionControl.systemDefault, defaultTimerSlackNanoseconds: thread.slack,
      maySetTimerSlack: thread.maySetSlack, mayUseRealtime: thread.mayUseRealtime, mayLockMemory: thread.mayLockMemory)
  }

  private static func describedPrivileges() -> (String, Bool) {
    switch Privileges.state() {
    case .ready: ("ready", true)
    case .needsUserNamespace: ("ready, in a user namespace of our own", true)
    case .impossible(let error): (error.description, false)
    }
  }

  /// The load averages of one, five and fifteen minutes; empty when not known.
  package static func loadAverages() -> [Double] {
    var loads = [Double](repeating: 0, count: 3)
    let count = getloadavg(&loads, 3)
    return Array(loads.prefix(max(Int(count), 0)))
  }

  private static func idleShare() -> Double? {
    guard let before = processorTicks() else { return nil }
    clinux_sleep_until(clinux_now() + 300_000_000)
    guard let after = processorTicks(), after.all > before.all else { return nil }
    return Double(after.idle - before.idle) / Double(after.all - before.all)
  }

  private static func processorTicks() -> (idle: Int, all: Int)? {
    guard let line = line("/proc/stat") else { return nil }
    let ticks = line.split(separator: " ").dropFirst().compactMap { Int($0) }
    guard ticks.count >= 5 else { return nil }
    // Idle and waiting for disks; guests' time is counted in user time already.
    return (ticks[3] + ticks[4], ticks.prefix(8).reduce(0, +))
  }

  private static func line(_ path: String) -> String? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return text.split(separator: "\n").first.map(String.init)
  }

  private static func string<Field>(_ field: Field) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// A thread's scheduling privileges, probed on one that ends at once.
private struct ThreadFacts: Sendable {
  var slack: Int?
  var maySetSlack: Bool
  var mayUseRealtime: Bool
  var mayLockMemory: Bool

  static func gather() throws(EmulatorError) -> ThreadFacts {
    try Threads.run(name: "facts") {
      let slack = clinux_timer_slack()
      let maySetSlack = clinux_set_timer_slack(1) == 0
      let mayUseRealtime = clinux_set_realtime(true) == 0
      let mayLockMemory = clinux_lock_memory(true) == 0
      if mayLockMemory { _ = clinux_lock_memory(false) }
      return ThreadFacts(
        slack: slack >= 0 ? Int(slack) : nil, maySetSlack: maySetSlack, mayUseRealtime: mayUseRealtime,
        mayLockMemory: mayLockMemory)
    }
  }
}
