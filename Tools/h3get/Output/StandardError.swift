import Foundation

enum StandardError {
  static func write(_ line: String) {
    // There is no one to report to when standard error itself is gone.
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }
}
