import Foundation

/// A client's command, run by the shell, with the system's own calls, which alone tell what one child used.
struct ClientProcess {
  struct End {
    /// The exit status, 128 and more for a signal.
    var status: Int32
    /// The most that was in memory, in bytes.
    var peakMemory: Int
  }

  private let identifier: pid_t

  /// - Parameter output: the file for what it writes.
  init(_ command: String, environment: [String: String], output: String) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let words = ["/bin/sh", "-c", "exec \(command)"]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    var identifier: pid_t = 0
    let code = posix_spawn(&identifier, "/bin/sh", &actions, nil, &arguments, &variables)
    guard code == 0 else { throw HostileFailure("/bin/sh cannot be started: \(String(cString: strerror(code))).") }
    self.identifier = identifier
  }

  /// Waits for the end; one that has not come after `limit` is made. Nil for one that was.
  func wait(for limit: Duration) async throws -> End? {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    while clock.now < deadline {
      if let end = reap(WNOHANG) { return end }
      try await Task.sleep(for: .milliseconds(10))
    }
    kill(identifier, SIGKILL)
    _ = reap(0)
    return nil
  }

  private func reap(_ options: Int32) -> End? {
    var status: Int32 = 0
    var used = rusage()
    var answer = wait4(identifier, &status, options, &used)
    while answer < 0, errno == EINTR { answer = wait4(identifier, &status, options, &used) }
    guard answer == identifier else { return nil }
    // In kilobytes (getrusage(2)).
    return End(
      status: status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f, peakMemory: used.ru_maxrss << 10)
  }
}

/// The reason for which a case cannot be played.
struct HostileFailure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
