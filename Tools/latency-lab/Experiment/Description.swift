import Foundation
import HTTP3Engine
import LatencyReport
import LinkEmulator

/// Puts into words and numbers what an experiment is, before its first run.
struct Description {
  let request: ExperimentRequest
  let arms: [Arm]
  /// Sentences on arms that were asked for and cannot run here.
  let absent: [String]
  let calibration: LinkCalibration

  init(request: ExperimentRequest, arms: [Arm], absent: [String], _ calibration: LinkCalibration) {
    self.request = request
    self.arms = arms
    self.absent = absent
    self.calibration = calibration
  }

  var description: ExperimentDescription {
    ExperimentDescription(
      scenario: request.scenario.summary, provenance: provenance,
      arms: arms.map { arm in
        ArmDescription(name: arm.name, label: arm.label, isControl: arm.isControl, notes: notes(of: arm))
      }, rules: request.rules, budgets: request.budgets)
  }

  private func notes(of arm: Arm) -> [String] {
    guard case .own(let name) = arm.program, let client = ClientArm(rawValue: name) else { return arm.notes }
    return arm.tuning.notes + ClientArm.notes(for: client) + ClientArm.unsupported(for: client)
  }

  private var provenance: Provenance {
    Provenance(
      started: MachineFacts.now, finished: MachineFacts.now, commandLine: CommandLine.arguments,
      rerunCommand: request.commandLine.map(Self.quoted).joined(separator: " "), seed: request.seeds.first,
      machine: MachineFacts.description, kernel: MachineFacts.kernel, versions: versions, settings: settings,
      loadBefore: MachineFacts.load, loadAfter: MachineFacts.load, calibration: calibration.points,
      noiseFloorMilliseconds: calibration.noiseFloorMilliseconds, isSimulated: false)
  }

  private var versions: [NamedValue] { Self.libraries + [NamedValue("server", request.server.label)] }

  private static var libraries: [NamedValue] {
    [
      NamedValue("ngtcp2", EngineVersions.ngtcp2), NamedValue("nghttp3", EngineVersions.nghttp3),
      NamedValue("GnuTLS", EngineVersions.gnutls),
    ]
  }

  /// The provenance of a simulation's results.
  static func simulated(command: [String], seed: UInt64, repetitions: Int) -> Provenance {
    Provenance(
      started: MachineFacts.now, finished: MachineFacts.now, commandLine: CommandLine.arguments,
      rerunCommand: command.map(quoted).joined(separator: " "), seed: seed, machine: MachineFacts.description,
      kernel: MachineFacts.kernel, versions: libraries,
      settings: [
        NamedValue("clock", "virtual: programs and machine take no time"),
        NamedValue("client and server", "our engine at both ends, over the link's model"),
        NamedValue("runs", "\(repetitions) of each arm, without a warm-up, the link's seed paired"),
      ], loadBefore: MachineFacts.load, loadAfter: MachineFacts.load, calibration: [], noiseFloorMilliseconds: 0,
      isSimulated: true)
  }

  private var settings: [NamedValue] {
    let controls = Set(arms.filter { $0.network != .udp }.map(\.congestionControl)).sorted().joined(separator: ", ")
    var settings = [
      NamedValue("TCP congestion control, both sides", controls.isEmpty ? "no TCP arm" : controls),
      NamedValue("this system's default for TCP", TCPCongestionControl.systemDefault ?? "unknown"),
      NamedValue("QUIC congestion control", quicControl),
      NamedValue("TCP_NODELAY", "on at both ends of our arms; tcp_no_metrics_save=1"),
      NamedValue("TLS", "1.3, no resumption, no early data"),
      NamedValue("MTU", "1500 bytes; TUN devices, so no segmentation offload on the link"),
      NamedValue(
        "runs",
        "\(request.repetitions) of each arm after a warm-up, in random order, with the seeds "
          + request.seeds.all.map(String.init).joined(separator: ", ")
          + " in turn; each repetition has draws of its own, the same for all arms"),
    ]
    settings += absent.map { NamedValue("left out", $0) }
    return settings
  }

  private var quicControl: String {
    request.server == .ours
      ? "CUBIC (ngtcp2) on both sides" : "CUBIC (ngtcp2) in our client; the server has its own, which is not pinned"
  }

  /// A word quoted for a shell.
  static func quoted(_ word: String) -> String {
    let plain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./=,:%+@".contains($0)) }
    return plain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}

extension Scenario {
  /// The usual rules, about the metric that the scenario is about.
  var rules: ExperimentRules { ExperimentRules(headlineMetric: headline) }

  var summary: ScenarioSummary {
    ScenarioSummary(
      name: name, about: about, source: source, link: link, workload: workload.inWords, streams: workload.streams,
      tokensPerSecond: workload.tokensPerSecond, eventBytes: workload.eventBytes ?? Workload.defaultEventBytes,
      downloadBytes: workload.downloadBytes, crossTraffic: workload.crossTraffic)
  }
}
