import Foundation
import LinkEmulator

/// One run of a streaming case over a link that is made: server, client, and what happens in between. Blocks.
struct StreamingExchange {
  static let recordName = "STREAM.jsonl"
  private static let mostRecordBytes = 64 << 20

  var test: StreamingCase
  var pair: PeerSelection.Pair
  var command: EndpointCommand
  var link: EmulatedLink
  var stop: Stop
  /// Waits until a server answers; nil, or what it did instead.
  var untilReady: (NamespacedProcess) throws -> String?

  private var folder: CellFolder { command.folder }

  func outcome() throws -> Outcome {
    let servers = StreamingServers(peer: pair.server, test: test, command: command, link: link, stop: stop)
    if let reason = servers.reasonForMissing { return .failed(reason) }
    try servers.startOrigin()
    var server = try servers.start()
    if let reason = try untilReady(server) {
      if server.ending?.exitCode == 127 {
        return .unsupported("The server does not do '\(test.name)'.\(folder.lastWords(.server))")
      }
      return .failed("The server \(reason).\(folder.lastWords(.server))")
    }
    if test.rule.lastTransport == "h1", !servers.offersTCP(server) {
      return .unsupported("The server does not listen on TCP.")
    }
    let clock = ContinuousClock()
    let begin = clock.now
    let due = Self.monotonicNanoseconds + Int64(StreamingCase.leadMilliseconds * 1e6)
    var command = command
    command.requests = (0..<test.workload.streams).map { "\(servers.url($0))?start=\(due)" }.joined(separator: " ")
    let client = try link.start(
      command.command(pair.client, .client, testCase: test.name, isOverHTTP3: true), on: .client)
    let incidents = StreamingIncidents(link: link, folder: folder)
    let end = begin + .milliseconds(test.limitMilliseconds)
    for entry in StreamingTimeline(test).entries {
      guard wait(for: client, until: min(end, begin + .milliseconds(entry.milliseconds))) == nil else { break }
      switch entry.step {
      case .drop(let filter): try incidents.drop(filter)
      case .moveClient: try incidents.moveClient()
      case .replaceServer:
        server.terminate(by: pair.server.endSignal?.number ?? SIGTERM, grace: .seconds(5))
        server = try servers.start()
      case .killServer:
        server.kill()
        _ = server.waitUntilEnded()
        server = try servers.start()
      }
    }
    let ending = wait(for: client, until: end)
    if ending == nil { client.kill() }
    let elapsed = (clock.now - begin) / .seconds(1)
    if ending?.exitCode == 127 {
      return .unsupported("The client does not do '\(test.name)'.\(folder.lastWords(.client))")
    }
    var outcome = judge(hasEnded: ending != nil)
    outcome.seconds = elapsed
    if outcome.verdict == .failed, let ending, !ending.isSuccess {
      outcome.reasons.append("The client \(ending.sentence).\(folder.lastWords(.client))")
    }
    return outcome
  }

  private func judge(hasEnded: Bool) -> Outcome {
    let file = "\(folder.downloads)/\(Self.recordName)"
    let data = (try? Data(contentsOf: URL(fileURLWithPath: file), options: .mappedIfSafe)) ?? Data()
    let verdict = StreamingVerdict(
      test, StreamingRecord(text: data.prefix(Self.mostRecordBytes)), hasEnded: hasEnded,
      waivers: .init(
        // Packaged servers draw their ticket keys again when they start.
        keepsTickets: pair.server.isOurs, allowsMigration: pair.server.isOurs))
    // What was loaded down goes with the run.
    try? FileManager.default.copyItem(atPath: file, toPath: "\(folder.logs(.client))/\(Self.recordName)")
    var (reasons, details) = (verdict.reasons, verdict.numbers?.text ?? "")
    if test.incidents.contains(where: { $0.action == .replaceServer }) {
      let hasGoAway = GoAwayTrace.connections(in: folder.logs(.client) + "/qlog") > 0
      details += hasGoAway ? ", GOAWAY" : ", no GOAWAY"
      if !hasGoAway, pair.server.isOurs { reasons.append("The server ended without a GOAWAY.") }
    }
    return Outcome(verdict: reasons.isEmpty ? .succeeded : .failed, reasons: reasons, details: details)
  }

  /// nil if it still runs.
  private func wait(for process: NamespacedProcess, until end: ContinuousClock.Instant) -> ProcessEnding? {
    while !stop.isSet {
      let left = end - ContinuousClock.now
      if let ending = process.waitUntilEnded(timeout: min(max(left, .zero), .seconds(Stop.pollSeconds))) {
        return ending
      }
      if left <= .zero { return nil }
    }
    return nil
  }

  /// `CLOCK_MONOTONIC`, which client and origin share.
  private static var monotonicNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
