import Foundation
import LinkEmulator

/// Starts the processes of one run on the two sides of its link.
struct RunProcesses: Sendable {
  let link: EmulatedLink
  let materials: RunMaterials
  /// The plan file of the run's seed.
  let planFile: String
  let server: ServerChoice
  /// The folder of the processes' own output.
  let logFolder: URL
  /// Whether the link loses by token, so that the origin has to mark them.
  var marksTokens = false
  /// The folder of our server's qlog files; nil for none.
  var qlogFolder: String?

  /// The server, listening, and the origin behind it where it has one.
  func startServer(for arm: Arm) async throws -> [NamespacedProcess] {
    var processes: [NamespacedProcess] = []
    switch server {
    case .ours:
      var arguments = [
        "origin", "--schedule", planFile, "--address", LinkSide.server.address, "--port",
        "\(RunMaterials.port)", "--certificate", materials.certificateFile, "--key", materials.keyFile,
      ]
      if arm.hasStockServer { arguments.append("--stock-recovery") }
      if let qlogFolder { arguments += ["--qlog", qlogFolder] }
      if marksTokens { arguments += ["--mark-tokens", LinkSide.client.address] }
      processes.append(try link.start(own(arguments, log: "server"), on: .server))
    case .caddy:
      processes.append(try startOrigin())
      processes.append(try startScript("servers/caddy", []))
    case .peer(let name):
      processes.append(try startOrigin())
      processes.append(try startScript("servers/peer", [name]))
    case .command(let text):
      processes.append(try startOrigin())
      let filled = ServerChoice.filled(
        text,
        with: [
          "{address}": LinkSide.server.address, "{port}": "\(RunMaterials.port)",
          "{certificate}": materials.certificateFile, "{key}": materials.keyFile, "{origin}": Self.originAddress,
        ])
      processes.append(try link.start(logged("/bin/sh", ["-c", filled], log: "server"), on: .server))
    }
    try await waitUntilReady(processes, arm.network)
    return processes
  }

  /// A client of the arm; its record goes to `out`, and each event's arrival to `arrivals` if it is one of our own.
  func startClient(_ arm: Arm, out: String, arrivals: OutputLines?) throws -> NamespacedProcess {
    let plan = ["--plan", planFile, "--out", out]
    let choice: [String]
    switch arm.program {
    case .own(let name): choice = ["--arm", name]
    case .command(let command): choice = ["--command", command.text]
    case .foreign(let name):
      let script = try LabScripts.path(of: "clients/stream-client")
      return try link.start(logged(script, ["--arm", name] + plan, log: "client"), on: .client)
    }
    var command = own(["client"] + choice + plan, log: "client")
    if let arrivals {
      command.arguments.append("--arrivals")
      command.output = .descriptor(arrivals.writingEnd)
    }
    return try link.start(command, on: .client)
  }

  /// A TCP download that continues until the link is stopped.
  func startCrossTraffic() throws {
    let out = logFolder.appendingPathComponent("cross-traffic.json").path
    let arguments = ["client", "--arm", "h1", "--plan", materials.crossTrafficPlanFile, "--out", out]
    _ = try link.start(own(arguments, log: "cross-traffic"), on: .client)
  }

  /// The last lines that a process wrote, for a message.
  func lastWords(of name: String) -> String {
    let text = (try? String(contentsOf: logFile(name), encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n").suffix(3)
    return lines.isEmpty ? "It said nothing." : "It said: " + lines.joined(separator: " / ").prefix(600)
  }

  // MARK: -

  private static let originAddress = "127.0.0.1:\(RunMaterials.originPort)"

  private func startScript(_ script: String, _ name: [String]) throws -> NamespacedProcess {
    let arguments =
      name + [
        "--port", "\(RunMaterials.port)", "--address", LinkSide.server.address, "--certificate",
        materials.certificateFile, "--key", materials.keyFile, "--origin", Self.originAddress,
      ]
    return try link.start(logged(try LabScripts.path(of: script), arguments, log: "server"), on: .server)
  }

  private func startOrigin() throws -> NamespacedProcess {
    let arguments = ["origin", "--schedule", planFile, "--plain-port", "\(RunMaterials.originPort)"]
    return try link.start(own(arguments, log: "origin"), on: .server)
  }

  /// This very program: its path may hold another one after a build.
  private func own(_ arguments: [String], log: String) -> NamespacedCommand {
    logged("/proc/self/exe", arguments, log: log)
  }

  private func logged(_ executable: String, _ arguments: [String], log: String) -> NamespacedCommand {
    let file = NamespacedCommand.Output.file(path: logFile(log).path)
    return NamespacedCommand(executable, arguments, output: file, error: file)
  }

  private func logFile(_ name: String) -> URL { logFolder.appendingPathComponent("\(name).log") }

  private func waitUntilReady(_ processes: [NamespacedProcess], _ network: Arm.Network) async throws {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(20)
    guard let first = processes.first else { return }
    let ports = ListeningPorts(process: first.identifier)
    while true {
      let hasTCP = ports.hasTCP(RunMaterials.port)
      let hasUDP = ports.hasUDP(RunMaterials.port)
      let hasOrigin = server == .ours || ports.hasTCP(RunMaterials.originPort)
      let isReady =
        switch network {
        // Our own server opens TCP first; what it still has to do would be in the run's processor time.
        case .udp where server == .ours, .tcp where server == .ours: hasUDP && hasTCP
        case .udp: hasUDP
        case .tcp: hasTCP
        case .either: hasUDP && hasTCP
        }
      if isReady, hasOrigin { return }
      if let ended = processes.first(where: { $0.ending != nil }), let ending = ended.ending {
        throw LabError(
          .failed, "The server (\(server.label)) \(ending.sentence) before it listened. \(lastWords(of: "server"))")
      }
      guard clock.now < end else {
        let protocols = network == .udp ? "UDP" : network == .tcp ? "TCP" : "TCP and UDP"
        throw LabError(
          .failed,
          """
          The server (\(server.label)) did not listen on \(protocols) port \(RunMaterials.port) within 20 s; does its \
          command use {port}? \(lastWords(of: "server"))
          """)
      }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}
