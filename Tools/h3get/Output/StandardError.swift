import Foundation

enum StandardError {
  static func write(_ line: String) {
    // Nobody can be told when standard error itself is gone.
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }
}
