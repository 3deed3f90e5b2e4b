import Foundation

/// Standard output, a line at a time and at once: `print` keeps what goes to a pipe.
package enum StandardOutput {
  package static func write(_ line: String) {
    // Without a reader there is no one to report to.
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }
}

/// Standard error, a line at a time.
package enum StandardError {
  package static func write(_ line: String) {
    // The error cannot be reported when standard error itself is gone.
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }
}
