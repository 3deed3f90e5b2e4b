package struct Provenance: Codable, Hashable, Sendable {
  /// ISO 8601, UTC.
  package var started: String
  package var finished: String
  package var commandLine: [String]
  package var rerunCommand: String
  package var seed: UInt64
  package var machine: String
  package var kernel: String
  /// Name to version, in the order to print.
  package var versions: [NamedValue]
  /// Congestion control each side, TCP and QUIC settings, and so on; name to value.
  package var settings: [NamedValue]
  package var loadBefore: Double
  package var loadAfter: Double
  package var calibration: [CalibrationPoint]
  /// Differences below this are not judged, milliseconds.
  package var noiseFloorMilliseconds: Double
  /// Whether this was virtual time.
  package var isSimulated: Bool

  package init(
    started: String, finished: String, commandLine: [String], rerunCommand: String, seed: UInt64, machine: String,
    kernel: String, versions: [NamedValue], settings: [NamedValue], loadBefore: Double, loadAfter: Double,
    calibration: [CalibrationPoint], noiseFloorMilliseconds: Double, isSimulated: Bool
  ) {
    self.started = started
    self.finished = finished
    self.commandLine = commandLine
    self.rerunCommand = rerunCommand
    self.seed = seed
    self.machine = machine
    self.kernel = kernel
    self.versions = versions
    self.settings = settings
    self.loadBefore = loadBefore
    self.loadAfter = loadAfter
    self.calibration = calibration
    self.noiseFloorMilliseconds = noiseFloorMilliseconds
    self.isSimulated = isSimulated
  }

  /// The commit that was measured, as git described it.
  var commit: String { versions.first { $0.name == "agent-stream" }?.value ?? "unknown commit" }
}
