import Foundation
import Processes

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
    var command = ChildProgram(program, arguments)
    command.output = .file("\(base).out", permissions: 0o644)
    command.error = .file("\(base).err", permissions: 0o644)
    // So that it is ended with its children.
    command.group = .own
    let process: Int32
    do {
      process = try command.start()
    } catch {
      return Answer(status: Self.notStarted, output: "", errors: "\(program): \(error.reason)")
    }
    let end = ContinuousClock.now + .seconds(seconds)
    var isLate = false
    var ended: ChildEnd?
    while true {
      ended = ChildEnd(of: process, waits: isLate)
      if ended != nil || isLate { break }
      if ContinuousClock.now > end || stop.isSet {
        isLate = true
        kill(-process, SIGKILL)
      } else {
        Thread.sleep(forTimeInterval: 0.005)
      }
    }
    return Answer(
      status: isLate ? Self.timedOut : ended?.status ?? Self.timedOut, output: Self.text(base + ".out", mostBytes),
      errors: Self.text(base + ".err", 64 << 10))
  }

  /// The first bytes of a file; empty without one.
  static func text(_ path: String, _ mostBytes: Int) -> String {
    guard let handle = FileHandle(forReadingAtPath: path) else { return "" }
    defer { try? handle.close() }
    let data = (try? handle.read(upToCount: mostBytes)) ?? nil
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}
