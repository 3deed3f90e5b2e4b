/// The delay that the emulator adds to the configured one-way delay at one packet rate, in microseconds.
package struct CalibrationPoint: Codable, Hashable, Sendable {
  package var packetsPerSecond: Int
  package var p50Microseconds: Double
  package var p99Microseconds: Double
  package var p999Microseconds: Double

  package init(packetsPerSecond: Int, p50Microseconds: Double, p99Microseconds: Double, p999Microseconds: Double) {
    self.packetsPerSecond = packetsPerSecond
    self.p50Microseconds = p50Microseconds
    self.p99Microseconds = p99Microseconds
    self.p999Microseconds = p999Microseconds
  }
}
