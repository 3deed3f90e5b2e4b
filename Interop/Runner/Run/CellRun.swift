import Foundation
import LinkEmulator
import LinkModel

/// Runs one cell on a link of its own and judges it. Blocks for as long as that takes.
struct CellRun: Sendable {
  /// For a server to answer: virtual machines that start four Python servers at once need several seconds.
  private static let readySeconds = 30.0

  var checkout: RunnerPlaces
  var peers: PeerFolder
  /// The folder of results.
  var out: String
  var scratch: String
  /// The certificates' folders by the length of the chain.
  var certificates: [Int: String]
  var seed: UInt64
  var keepsCaptures: Bool
  var stop: Stop

  /// nil if it was interrupted.
  func outcome(of cell: Cell) -> Outcome? {
    for (peer, role) in [(cell.pair.client, Role.client), (cell.pair.server, .server)] {
      if let reason = peer.reasonForLacking(cell.testCase, role) {
        return .unsupported("\(peer.name) as \(role.rawValue): \(reason)")
      }
    }
    let folder = CellFolder(path: "\(out)/\(cell.folder)", scratch: "\(scratch)/\(UUID().uuidString)")
    var outcome: Outcome
    do {
      try folder.make()
      outcome = try run(cell, folder)
    } catch {
      outcome = .failed("\(error)")
    }
    folder.tidy(keepsCaptures: keepsCaptures || outcome.verdict == .failed)
    return stop.isSet ? nil : outcome
  }

  private func run(_ cell: Cell, _ folder: CellFolder) throws -> Outcome {
    let files = try ServedFiles.make(cell.testCase.files, in: folder.www)
    try EndpointCommand.hosts.write(toFile: folder.hosts, atomically: false, encoding: .utf8)
    guard let certificates = certificates[cell.testCase.certificateChainLength] else {
      return .failed("No certificates were made for a chain of \(cell.testCase.certificateChainLength).")
    }
    let command = EndpointCommand(
      checkout: checkout, peers: peers, folder: folder, certificates: certificates,
      requests: files.names.map { "https://\(cell.testCase.host):\(ReadinessProbe.port)/\($0)" }.joined(separator: " "))
    var options = EmulatedLink.Options()
    options.captureFolder = folder.captures
    options.congestionControl = cell.testCase.hasCrossTraffic || cell.testCase.stream != nil ? "cubic" : nil
    let link = try EmulatedLink(
      conditions: cell.testCase.stream?.link ?? cell.testCase.network.conditions,
      seed: LinkSeed(scenarioNamed: cell.testCase.name, repetition: seed &+ UInt64(cell.repetition)), options: options)
    try link.start()
    var outcome: Outcome
    do {
      outcome =
        if let test = cell.testCase.stream {
          try StreamingExchange(test: test, pair: cell.pair, command: command, link: link, stop: stop) {
            try untilReady($0, link, settle: cell.pair.server.settle)
          }.outcome()
        } else {
          try exchange(cell, command, folder, link)
        }
    } catch {
      outcome = .failed("\(error)")
    }
    let log = link.stop(grace: stop.isSet ? .zero : .seconds(3))
    // Also for those who read the captures of a failure.
    let keys = TLSSecrets.merged(Role.allCases.map { Tool.text(folder.keyLog($0), TLSSecrets.mostBytes) })
    if !keys.isEmpty { try keys.write(toFile: folder.mergedKeys, atomically: false, encoding: .utf8) }
    if let error = log.captureError { return .failed("\(error)") }
    guard outcome.verdict == .succeeded, cell.testCase.stream == nil, !stop.isSet else { return outcome }
    guard log.isCaptureComplete else { return .failed("The capture grew too large to judge by.") }
    let seconds = outcome.seconds
    outcome = try judge(cell, folder, files, keys)
    outcome.seconds = seconds
    return outcome
  }

  // MARK: The exchange

  /// Server, then client, until the client has ended; a success here says that it ended well.
  private func exchange(
    _ cell: Cell, _ command: EndpointCommand, _ folder: CellFolder, _ link: EmulatedLink
  ) throws -> Outcome {
    let (client, server, testCase) = (cell.pair.client, cell.pair.server, cell.testCase)
    let serverProcess = try link.start(
      command.command(
        server, .server, testCase: testCase.serverTestCase, isOverHTTP3: client.protocol == .h3), on: .server)
    if let reason = try untilReady(serverProcess, link, settle: server.settle) {
      if serverProcess.ending?.exitCode == 127 {
        return .unsupported("The server does not do '\(testCase.serverTestCase)'.\(folder.lastWords(.server))")
      }
      return .failed("The server \(reason).\(folder.lastWords(.server))")
    }
    let crossTraffic = testCase.hasCrossTraffic ? try CompetingConnection(over: link) : nil
    defer { crossTraffic?.end() }
    let clock = ContinuousClock()
    let start = clock.now
    let clientProcess = try link.start(
      command.command(
        client, .client, testCase: testCase.clientTestCase, isOverHTTP3: server.protocol == .h3), on: .client)
    let ending = wait(for: clientProcess, until: start + .seconds(testCase.timeLimitSeconds))
    let elapsed = (clock.now - start).components
    var outcome = clientOutcome(ending, testCase, folder)
    outcome.seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
    if let serverEnding = serverProcess.ending, outcome.verdict == .failed {
      outcome.reasons.append("The server \(serverEnding.sentence) before the client.\(folder.lastWords(.server))")
    }
    if let crossTraffic, crossTraffic.receivedBytes == 0, outcome.verdict == .succeeded {
      return .failed("The TCP connection beside it carried nothing, so nothing was measured.")
    }
    // What the client sent last, its CONNECTION_CLOSE, is still on the link.
    let delay = testCase.network.conditions.toServer.oneWayDelayMilliseconds
    Thread.sleep(forTimeInterval: delay / 1_000 + 0.05)
    return outcome
  }

  private func clientOutcome(_ ending: ProcessEnding?, _ testCase: InteropCase, _ folder: CellFolder) -> Outcome {
    guard let ending else {
      if stop.isSet { return .failed("The run was interrupted.") }
      return .failed("The client did not end within \(testCase.timeLimitSeconds) s.\(folder.lastWords(.client))")
    }
    switch ending.exitCode {
    case 0: return Outcome(verdict: .succeeded)
    case 127: return .unsupported("The client does not do '\(testCase.clientTestCase)'.\(folder.lastWords(.client))")
    case _: return .failed("The client \(ending.sentence).\(folder.lastWords(.client))")
    }
  }

  /// nil once it answers; else what it did instead.
  private func untilReady(_ process: NamespacedProcess, _ link: EmulatedLink, settle: Double) throws -> String? {
    let probe = try ReadinessProbe(on: link)
    let clock = ContinuousClock()
    let end = clock.now + .seconds(Self.readySeconds)
    while !probe.isAnswered() {
      if let ending = process.ending { return "\(ending.sentence) before it answered" }
      if stop.isSet { return "was waited for when the run was interrupted" }
      guard clock.now < end else {
        return "did not answer a packet of an unknown version within \(Int(Self.readySeconds)) s"
      }
      Thread.sleep(forTimeInterval: 0.02)
    }
    Thread.sleep(forTimeInterval: settle)
    return nil
  }

  /// nil if it must be ended.
  private func wait(for process: NamespacedProcess, until end: ContinuousClock.Instant) -> ProcessEnding? {
    while !stop.isSet, ContinuousClock.now < end {
      if let ending = process.waitUntilEnded(timeout: .seconds(Stop.pollSeconds)) { return ending }
    }
    return nil
  }

  // MARK: The verdict

  private func judge(
    _ cell: Cell, _ folder: CellFolder, _ files: ServedFiles, _ keys: String
  ) throws -> Outcome {
    let reader = TraceReader(tool: Tool(folder: folder.scratch, stop: stop))
    // Decrypting a large transfer takes tshark seconds, which only some verdicts need.
    let usedKeys =
      !keys.isEmpty && (cell.testCase.needsKeys || cell.testCase.serverTestCase == "zerortt") ? folder.mergedKeys : nil
    let evidence = Evidence(
      clientTrace: try reader.trace(folder.capture(.client), keys: usedKeys),
      serverTrace: try reader.trace(folder.capture(.server), keys: usedKeys), hasKeys: TLSSecrets.isUsable(keys),
      fileProblems: files.problems(www: folder.www, downloads: folder.downloads))
    return cell.testCase.outcome(of: evidence)
  }
}
