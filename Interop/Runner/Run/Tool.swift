import Foundation
import Glibc

/// Runs a program of the system to its end, with files in place of pipes, so that nothing can block or pile up.
struct Tool: Sendable {
  struct Answer: Sendable {
    var status: Int32
    /// The output, up to the wanted size.
    var output: String
    var errors: String

    var isSuccess: Bool { status == 0 }
    /// The last line of the errors or, without one, of the output.
    var lastWords: String {
      (errors.split(separator: "\n").last ?? output.split(separator: "\n").last).map { String($0.prefix(400)) }
        ?? "it said nothing"
    }
  }

  /// Status of a program that was ended for taking too long or for a signal to us, and of one that did not start.
  static let timedOut: Int32 = -1
  static let notStarted: Int32 = -2

  /// The folder of the run's output and errors.
  var folder: String
  var stop: Stop

  /// Foundation's `Process` is not used: its end was missed now and then when several ran at once.
  func run(
    _ program: String, _ arguments: [String], seconds: Double, mostBytes: Int = 1 << 20
  ) -> Answer {
    let base = "\(folder)/tool-\(UUID().uuidString)"
    defer { for end in ["out", "err"] { try? FileManager.default.removeItem(atPath: "\(base).\(end)") } }
    let (process, error) = start(program, arguments, base)
    guard error == 0 else {
      return Answer(status: Self.notStarted, output: "", errors: "\(program): \(String(cString: strerror(error)))")
    }
    let end = ContinuousClock.now + .seconds(seconds)
    var status: Int32 = 0
    var isLate = false
    while true {
      let ended = waitpid(process, &status, isLate ? 0 : WNOHANG)
      if ended == process || ended < 0 && errno != EINTR { break }
      if ContinuousClock.now > end || stop.isSet {
        isLate = true
        kill(-process, SIGKILL)
      } else {
        Thread.sleep(forTimeInterval: 0.005)
      }
    }
    // As a shell has it, a signal's number is added to 128.
    let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    return Answer(
      status: isLate ? Self.timedOut : code, output: Self.text(base + ".out", mostBytes),
      errors: Self.text(base + ".err", 64 << 10))
  }

  /// In a process group of its own, so that it can be ended with its children; answers its number or an errno.
  private func start(_ program: String, _ arguments: [String], _ base: String) -> (pid_t, Int32) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (number, ending) in [(Int32(1), "out"), (2, "err")] {
      posix_spawn_file_actions_addopen(&actions, number, "\(base).\(ending)", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
    var list: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in list { free(word) } }
    var process: pid_t = 0
    let error = posix_spawnp(&process, program, &actions, &attributes, &list, environ)
    return (process, error)
  }

  /// The first bytes of a file; empty without one.
  static func text(_ path: String, _ mostBytes: Int) -> String {
    guard let handle = FileHandle(forReadingAtPath: path) else { return "" }
    defer { try? handle.close() }
    let data = (try? handle.read(upToCount: mostBytes)) ?? nil
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}
