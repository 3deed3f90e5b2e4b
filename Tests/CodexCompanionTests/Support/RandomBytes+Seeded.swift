import JSONService
import Synchronization
import TestSupport

extension RandomBytes {
  /// The same bytes in each run.
  static func seeded(_ seed: UInt64 = 1) -> RandomBytes {
    let generator = Mutex(SeededGenerator(seed: seed))
    return RandomBytes { count in
      generator.withLock { generator in (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
    }
  }
}
