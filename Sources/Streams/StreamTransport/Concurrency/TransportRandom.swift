/// Where a transport takes random numbers from; tests give a seeded source.
package struct TransportRandom: RandomNumberGenerator, Sendable {
  private let source: @Sendable () -> UInt64

  /// - Parameter source: 64 random bits with each call.
  package init(_ source: @escaping @Sendable () -> UInt64) {
    self.source = source
  }

  package func next() -> UInt64 { source() }

  /// The system's cryptographically secure source.
  package static let system = TransportRandom {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }
}
