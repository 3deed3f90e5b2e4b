import Foundation

/// Ends a part of a benchmark with the benchmark, where that is killed and cannot end it: a server would run on for ever.
enum ParentWatch {
  /// The environment variable that tells a child that its standard input is open as long as its parent lives.
  static let variable = "AGENT_STREAM_BENCH_PARENT"

  /// To be called first.
  static func begin() {
    guard ProcessInfo.processInfo.environment[variable] != nil else { return }
    unsetenv(variable)
    Thread.detachNewThread {
      var byte: UInt8 = 0
      var count: Int
      repeat { count = read(STDIN_FILENO, &byte, 1) } while count > 0 || count < 0 && errno == EINTR
      _exit(1)
    }
  }
}
