import Glibc
import Synchronization
import TestSupport

/// Hands out seeds to threads, and gathers what comes of them.
final class SeedProgress: Sendable {
  private let seeds: Range<UInt64>
  private let nextSeed: Atomic<UInt64>
  private let gathered = Mutex(SimulationReport())
  private let jobs: Int
  /// The seed of each thread, 0 for none; never freed, since a signal's handler reads it. Written by one thread each.
  private nonisolated(unsafe) static var current: UnsafeMutablePointer<UInt64>?
  private nonisolated(unsafe) static var jobCount = 0

  init(seeds: Range<UInt64>, jobs: Int) {
    self.seeds = seeds
    self.jobs = jobs
    nextSeed = Atomic(seeds.lowerBound)
  }

  func next(for job: Int) -> UInt64? {
    let seed = nextSeed.wrappingAdd(1, ordering: .relaxed).oldValue
    Self.current?[job] = seeds.contains(seed) ? seed : 0
    return seeds.contains(seed) ? seed : nil
  }

  func add(_ result: SimulationResult) {
    gathered.withLock { $0.add(result) }
  }

  var report: SimulationReport { gathered.withLock { $0 } }

  /// A trap or a fault in a library ends the process; before that the seeds at hand are printed. Called once.
  func reportCrashes() {
    Self.current = .allocate(capacity: jobs)
    Self.current?.initialize(repeating: 0, count: jobs)
    Self.jobCount = jobs
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
      signal(number) { number in
        signal(number, SIG_DFL)
        for job in 0..<SeedProgress.jobCount {
          SeedProgress.write("crash at one of the threads' seeds: simulate --seed ", SeedProgress.current?[job] ?? 0)
        }
        raise(number)
      }
    }
  }

  /// Without memory of the heap, which a crash may have left locked.
  private static func write(_ text: StaticString, _ number: UInt64) {
    _ = Glibc.write(2, text.utf8Start, text.utf8CodeUnitCount)
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
