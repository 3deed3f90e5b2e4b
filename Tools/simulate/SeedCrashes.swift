import Glibc

/// A trap or a fault in a library ends the process; before that the seeds at hand are printed.
enum SeedCrashes {
  /// The seed of each thread, 0 for none; never freed, since a signal's handler reads it. Written by one thread each.
  private nonisolated(unsafe) static var current: UnsafeMutablePointer<UInt64>?
  private nonisolated(unsafe) static var jobCount = 0
  private nonisolated(unsafe) static var command: StaticString = ""

  /// Called once.
  static func watch(jobs: Int, command: StaticString) {
    current = .allocate(capacity: jobs)
    current?.initialize(repeating: 0, count: jobs)
    jobCount = jobs
    self.command = command
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
      signal(number) { number in
        signal(number, SIG_DFL)
        for job in 0..<SeedCrashes.jobCount {
          SeedCrashes.write("crash at one of the threads' seeds: simulate ")
          SeedCrashes.write(SeedCrashes.command)
          SeedCrashes.write(" --seed ")
          SeedCrashes.write(SeedCrashes.current?[job] ?? 0)
        }
        raise(number)
      }
    }
  }

  static func begins(_ seed: UInt64, job: Int) { current?[job] = seed }

  /// Without memory of the heap, which a crash may have left locked.
  private static func write(_ text: StaticString) { _ = Glibc.write(2, text.utf8Start, text.utf8CodeUnitCount) }

  private static func write(_ number: UInt64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { digits in
      var rest = number
      var index = 23
      digits[index] = UInt8(ascii: "\n")
      repeat {
        index -= 1
        digits[index] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      _ = Glibc.write(2, digits.baseAddress.map { $0 + index }, 24 - index)
    }
  }
}
