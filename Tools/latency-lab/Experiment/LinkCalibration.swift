import LatencyReport
import LinkEmulator

/// The delay that the emulator adds to a link on this machine at present.
struct LinkCalibration: Sendable {
  var points: [CalibrationPoint]
  var noiseFloorMilliseconds: Double

  static func measure(seconds: Double = 2) throws -> LinkCalibration {
    let measured = try Calibrator().delays(packetRates: [50, 500, 5_000], seconds: seconds)
    return LinkCalibration(measured)
  }

  init(_ calibration: Calibration) {
    points = calibration.rates.map { rate in
      CalibrationPoint(
        packetsPerSecond: rate.packetsPerSecond, p50Microseconds: rate.added.p50Microseconds,
        p99Microseconds: rate.added.p99Microseconds, p999Microseconds: rate.added.p999Microseconds)
    }
    noiseFloorMilliseconds = calibration.noiseFloorMilliseconds
  }
}
