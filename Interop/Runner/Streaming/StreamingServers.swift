import Foundation
import LinkEmulator

/// Starts the server of a run, and the origin behind it where it is one that others wrote.
struct StreamingServers {
  /// Of the origin, on the server's loopback.
  static let originPort: UInt16 = 8_000
  /// The time that our own server gives running streams after SIGTERM.
  private static let drainMilliseconds = 500
  private static let originSeconds = 10.0
  /// A server that answers QUIC listens on TCP too by then, if it ever does.
  private static let tcpSeconds = 5.0

  var peer: Peer
  var test: StreamingCase
  var command: EndpointCommand
  var link: EmulatedLink
  var stop: Stop

  private var program: String { command.checkout.programs + "/latency-lab" }
  private var schedule: String { command.folder.path + "/schedule.json" }

  /// The reason for which it cannot be run at all; nil if it can.
  var reasonForMissing: String? {
    FileManager.default.isExecutableFile(atPath: program)
      ? nil
      : "\(program), which writes the events, is not built (swift build --product latency-lab, with the configuration of this one)."
  }

  /// The URL of a stream, without the query.
  func url(_ stream: Int) -> String {
    "https://server4:\(ReadinessProbe.port)\(peer.isOurs ? "" : "/o")/stream/\(stream)"
  }

  /// The origin, listening; nothing for our own server, which writes the events itself.
  func startOrigin() throws {
    // The origin's own end of the streams, should a client never come for it.
    let plan = test.workload.plan(graceMilliseconds: test.rule.latestMilliseconds + 10_000)
    try JSONEncoder().encode(plan).write(to: URL(fileURLWithPath: schedule))
    guard !peer.isOurs else { return }
    let log = NamespacedCommand.Output.file(path: command.folder.logs(.server) + "/origin.txt")
    let process = try link.start(
      NamespacedCommand(
        program, ["origin", "--schedule", schedule, "--plain-port", "\(Self.originPort)"], output: log, error: log),
      on: .server)
    guard listens(process, Self.originPort, within: Self.originSeconds) else {
      throw StreamingError("The origin does not listen; \(command.folder.logs(.server))/origin.txt has what it said.")
    }
  }

  func start() throws -> NamespacedProcess {
    var command =
      self.command.command(peer, .server, testCase: test.name, isOverHTTP3: true)
    if peer.isOurs {
      command = NamespacedCommand(
        program,
        [
          "origin", "--schedule", schedule, "--address", LinkSide.server.address, "--port", "\(ReadinessProbe.port)",
          "--certificate", self.command.certificates + "/cert.pem", "--key", self.command.certificates + "/priv.key",
          "--ticket-secret", self.command.folder.scratch + "/ticket-secret", "--drain", "\(Self.drainMilliseconds)",
        ], output: command.output, error: command.error)
    }
    command.environment?["UPSTREAM"] = "http://127.0.0.1:\(Self.originPort)"
    return try link.start(command, on: .server)
  }

  /// Whether HTTP/1.1 over TLS is there, which some cases end with.
  func offersTCP(_ process: NamespacedProcess) -> Bool {
    listens(process, ReadinessProbe.port, within: Self.tcpSeconds)
  }

  private func listens(_ process: NamespacedProcess, _ port: UInt16, within seconds: Double) -> Bool {
    let ports = OpenPorts(process: process.identifier)
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while process.ending == nil, !stop.isSet {
      if ports.contains(port) { return true }
      guard clock.now < end else { return false }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return false
  }
}
