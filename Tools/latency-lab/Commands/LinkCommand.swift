import ArgumentParser
import Foundation
import Glibc
import LinkEmulator
import LinkModel
import ToolSupport

struct LinkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link",
    abstract: "Runs programs of your own on the two sides of an emulated link.",
    discussion: """
      The command after '--' runs on the client's side (\(LinkSide.client.address)), or a shell if there is none. The \
      command of --server runs on the server's side (\(LinkSide.server.address)) and ends with it. The exit code is \
      the client's. Example: latency-lab link loss-2 --server 'python3 -m http.server 8000' -- \
      curl http://\(LinkSide.server.address):8000/
      """)

  @OptionGroup var scenarioOptions: ScenarioOptions

  @Option(help: ArgumentHelp("A shell command for the server's side.", valueName: "command"))
  var server: String?

  @Option(help: ArgumentHelp("Wait until the server's side listens on this port, TCP or UDP.", valueName: "port"))
  var port: UInt16?

  @Option(help: ArgumentHelp("TCP's congestion control on both sides.", valueName: "name"))
  var congestionControl = "cubic"

  @Option(help: "The seed of the link's random numbers.")
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "Folder for the packet log (packets.csv), both sides' pcapng and TCP's state (tcp.csv).", valueName: "folder"))
  var capture: String?

  @Argument(parsing: .postTerminator, help: "The command for the client's side.")
  var command: [String] = []

  func run() async throws {
    let scenario = try scenarioOptions.resolved()
    guard !scenario.link.losesByToken else {
      throw ValidationError(
        "Loss by token needs the lab's own origin, which marks the tokens; take another kind of loss for the link.")
    }
    try Privileges.ensure()
    var options = EmulatedLink.Options()
    options.congestionControl = congestionControl
    options.captureFolder = capture
    let link = try EmulatedLink(
      conditions: scenario.link, seed: scenario.linkSeed(seed: seed, repetition: 0), options: options)
    let ending: ProcessEnding
    do {
      try link.start()
      try await startServer(on: link)
      // The client's command takes the terminal; taking it back from the background must not stop us.
      signal(SIGTTOU, SIG_IGN)
      ending = try await client(on: link).ended()
      tcsetpgrp(STDIN_FILENO, getpgrp())
    } catch {
      link.stop(grace: .zero)
      throw error
    }
    let log = link.stop()
    try report(log)
    if let status = ending.exitCode, status != 0 { throw ExitCode(status) }
    if let number = ending.signal { throw ExitCode(128 + number) }
  }

  private func startServer(on link: EmulatedLink) async throws {
    guard let server else { return }
    let process = try link.start(
      NamespacedCommand("/bin/sh", ["-c", server], output: .descriptor(STDERR_FILENO)), on: .server)
    guard let port else { return }
    let ports = ListeningPorts(process: process.identifier)
    let clock = ContinuousClock()
    let end = clock.now + .seconds(20)
    while !ports.hasTCP(port), !ports.hasUDP(port) {
      if let ending = process.ending {
        throw LabError(.failed, "The server \(ending.sentence) before it listened on port \(port).")
      }
      guard clock.now < end else {
        throw LabError(.failed, "The server did not listen on port \(port) within 20 s.")
      }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  private func client(on link: EmulatedLink) throws -> NamespacedProcess {
    var words = command
    if words.isEmpty {
      words = [ProcessInfo.processInfo.environment["SHELL"] ?? "/bin/sh"]
      StandardError.write(
        "latency-lab: a shell at \(LinkSide.client.address); the other side is \(LinkSide.server.address).")
    }
    return try link.start(
      NamespacedCommand(words[0], Array(words.dropFirst()), input: .inherited, ownsTerminal: true), on: .client)
  }

  private func report(_ log: PacketLog) throws {
    if let error = log.captureError { StandardError.write("latency-lab: \(error)") }
    if let capture { try log.writeCSV(to: "\(capture)/packets.csv") }
    let dropped = log.entries.count { $0.verdict == .dropped }
    StandardError.write(
      String(
        format: "latency-lab: %ld packets, %ld dropped; the link was %.0f µs late at the median, %.0f µs at p99.",
        log.entries.count, dropped, log.lateness.p50Microseconds, log.lateness.p99Microseconds))
  }
}
