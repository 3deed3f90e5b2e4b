import Dispatch
import Foundation

/// Runs a program of the system to its end, with files in place of pipes, so that nothing can block or pile up.
struct Tool: Sendable {
  struct Answer: Sendable {
    var status: Int32
    /// As much as was wanted.
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

  /// Where output and errors go for the time of the run.
  var folder: String
  var stop: Stop

  func run(
    _ program: String, _ arguments: [String], seconds: Double, mostBytes: Int = 1 << 20
  ) -> Answer {
    let base = "\(folder)/tool-\(UUID().uuidString)"
    defer { for end in ["out", "err"] { try? FileManager.default.removeItem(atPath: "\(base).\(end)") } }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardInput = FileHandle.nullDevice
    for end in ["out", "err"] { _ = FileManager.default.createFile(atPath: "\(base).\(end)", contents: nil) }
    guard let output = FileHandle(forWritingAtPath: base + ".out"),
      let errors = FileHandle(forWritingAtPath: base + ".err")
    else { return Answer(status: Self.notStarted, output: "", errors: "no file can be written in \(folder)") }
    process.standardOutput = output
    process.standardError = errors
    let hasEnded = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in hasEnded.signal() }
    do { try process.run() } catch {
      return Answer(status: Self.notStarted, output: "", errors: "\(error)")
    }
    let deadline = DispatchTime.now() + seconds
    var isLate = false
    while hasEnded.wait(timeout: .now() + Stop.pollSeconds) == .timedOut {
      guard DispatchTime.now() > deadline || stop.isSet else { continue }
      isLate = true
      kill(process.processIdentifier, SIGKILL)
      hasEnded.wait()
      break
    }
    return Answer(
      status: isLate ? Self.timedOut : process.terminationStatus, output: Self.text(base + ".out", mostBytes),
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
