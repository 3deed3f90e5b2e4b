import Foundation
import ResolveKitCore

/// Lines on standard output, each there at once: a pipe's reader waits for them.
enum WorkersOutput {
  static func line(_ text: String) throws { try FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8)) }

  /// JSON, with escapes for what may steer a terminal: the same value to a parser.
  static func json(_ value: JSONValue) throws { try line(value.visibleText) }
}
