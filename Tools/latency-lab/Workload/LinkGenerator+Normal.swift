import Foundation
import LinkModel

extension LinkGenerator {
  /// The random source of one stream's schedule.
  init(seed: UInt64, stream: Int) {
    self.init(seed: seed, purpose: "schedule of stream \(stream)")
  }

  /// Drawn from the standard normal distribution (Box and Muller 1958).
  mutating func normal() -> Double {
    // Above zero, so that the logarithm exists.
    let radius = 1 - unit()
    return (-2 * log(radius)).squareRoot() * cos(2 * .pi * unit())
  }
}
