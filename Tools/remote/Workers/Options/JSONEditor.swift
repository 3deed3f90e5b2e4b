import ArgumentParser
import Foundation
import Glibc
import StreamTransport
import Subprocess
import SystemPackage

/// Has a person write JSON in their editor, in a file for them alone.
struct JSONEditor {
  /// Bytes of what may be written.
  static let limit = 1 << 20

  var environment = ProcessInfo.processInfo.environment
  var hasTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1

  /// Returns what was saved. Throws a usage error where there is no terminal, or the editor failed.
  func edit(_ draft: String) async throws -> String {
    guard hasTerminal else { throw ValidationError("Without a terminal the parameters are given by --params.") }
    let editor = [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self).first { !$0.isEmpty } ?? "vi"
    let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
    let file = "\(folder)/remote-request-\(String(UInt64.random(in: 0 ... .max), radix: 36)).json"
    try PrivateFile.write(Array((draft + "\n").utf8), to: file, isDurable: false)
    defer { unlink(file) }
    // As git does it: the variable may hold arguments.
    let result = try await Subprocess.run(
      .path("/bin/sh"), arguments: ["-c", "\(editor) \"$0\"", file],
      input: .fileDescriptor(.standardInput, closeAfterSpawningProcess: false),
      output: .fileDescriptor(.standardOutput, closeAfterSpawningProcess: false),
      error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false))
    guard result.terminationStatus.isSuccess else {
      throw ValidationError("'\(editor)' did not end well, so nothing is sent; set $EDITOR, or give --params.")
    }
    do {
      return String(decoding: try PrivateFile.read(file, limit: Self.limit), as: UTF8.self)
    } catch {
      throw ValidationError("What was written cannot be read, so nothing is sent: \(error).")
    }
  }
}
