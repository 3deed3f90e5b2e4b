import EventStream
import Foundation
import Logging
import Processes
import StreamRecord
import StreamTransport
import Synchronization

/// Follows event streams as a program does that embeds this package, an event-source client over a race of transports
/// with their standard settings, and writes what it sees to `STREAM.jsonl`.
struct StreamingClient: Sendable {
  struct Settings: Sendable {
    /// REQUESTS: absolute https URLs of event streams, all of one origin.
    var urls: [String]
    /// The folder of the `STREAM.jsonl` files.
    var downloads: String
    var trust: TLSOptions.Trust
    /// SSLKEYLOGFILE.
    var keyLogFile: String?
    /// QLOGDIR.
    var qlogDirectory: String?
    var clock = TransportClock.continuous
  }

  static let fileName = "STREAM.jsonl"

  let test: StreamingTestCase
  let settings: Settings

  private let connections = ConnectionNumbers()

  init(_ test: StreamingTestCase, _ settings: Settings) {
    self.test = test
    self.settings = settings
  }

  /// Follows all streams to their ends; whether each said that it is at its end. Throws where it cannot begin.
  func run() async throws -> Bool {
    let urls = try settings.urls.map { text in
      guard let url = URL(string: text) else {
        throw TransportError(.invalidRequest, "REQUESTS has '\(text)', which is no URL.")
      }
      return url
    }
    guard let first = urls.first else {
      throw TransportError(.invalidRequest, "REQUESTS is empty; give the URLs of event streams.")
    }
    let origin = try Origin(first)
    for url in urls where try Origin(url) != origin {
      throw TransportError(.invalidRequest, "REQUESTS has \(url), which is not of \(origin); give URLs of one origin.")
    }
    let folder = settings.downloads.hasSuffix("/") ? settings.downloads : settings.downloads + "/"
    let log = try StreamLog(path: folder + Self.fileName)
    let transport = makeTransport(origin)
    // As a program does that shows an answer while it is written.
    transport.setResponseExpected(true)
    let tally = Tally(streams: urls.count, residentBefore: ProcessMemory().resident)
    try log.write(StreamLine(.started, at: Self.now))
    await withTaskGroup(of: Void.self) { group in
      for (stream, url) in urls.enumerated() {
        group.addTask { await follow(stream, url, transport, log, tally) }
      }
    }
    var line = StreamLine(.summary, at: Self.now)
    var summary = tally.summary
    summary.connections = connections.count
    if let snapshot = await transport.snapshot() {
      summary.migrations = snapshot.migrations
      summary.roundTrip = snapshot.roundTrip.map { Int64($0 / .nanoseconds(1)) }
    }
    summary.residentPeak = ProcessMemory().peak
    line.summary = summary
    try log.write(line)
    try log.close()
    await transport.close()
    return summary.ended == urls.count
  }

  private func makeTransport(_ origin: Origin) -> RacingTransport {
    let logger = Logger(label: "interop-endpoint") { StreamLogHandler.standardError(label: $0) }
    let tls = TLSOptions(trust: settings.trust, keyLogFile: settings.keyLogFile)
    var http3 = HTTP3TransportConfiguration()
    http3.qlogDirectory = settings.qlogDirectory
    return RacingTransport(
      http3: HTTP3Transport(origin: origin, tls: tls, logger: logger, configuration: http3),
      http1: HTTP1Transport(origin: origin, tls: tls, logger: logger), logger: logger)
  }

  /// One stream, from its first request to the event that ends it, with as many responses as that takes.
  private func follow(
    _ stream: Int, _ url: URL, _ transport: RacingTransport, _ log: StreamLog, _ tally: Tally
  ) async {
    var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    components?.scheme = nil
    components?.host = nil
    components?.port = nil
    let path = components?.string ?? "/"
    var configuration = EventSourceConfiguration()
    configuration.clock = settings.clock
    let logger = Logger(label: "interop-endpoint") { StreamLogHandler.standardError(label: $0) }
    let client = EventSourceClient(transport: transport, configuration: configuration, logger: logger)
    var reader = SlowReader(test.slowStart, clock: settings.clock)
    var connection: ConnectionInfo?
    var events = 0
    do {
      for try await update in client.updates({ _ in EventSourceRequest(path: path) }) {
        switch update {
        case .opened(let info):
          connection = info
          try log.write(line(.opened, stream, info))
        case .event(let event, let arrivedAt):
          var line = line(.event, stream, connection)
          line.at = Int64(clamping: arrivedAt)
          line.reason = nil
          line.id = event.lastEventID
          line.type = event.type
          line.bytes = event.data.utf8.count
          line.data = String(event.data.prefix(StreamLine.dataLimit))
          try log.write(line, isUrgent: false)
          if Self.isEnd(event) {
            try log.write(StreamLine(.ended, at: Self.now, stream: stream))
            return tally.ended()
          }
          events += 1
          if stream == 0, events == test.closesAfterEvents { await transport.close() }
          try await reader.take(event.data.utf8.count)
        case .disconnected(let reason, let isClean, let retryIn):
          var line = line(.disconnected, stream, connection)
          line.reason = nil
          line.cause = reason.description
          line.isClean = isClean
          line.retryInMilliseconds = Int(retryIn / .milliseconds(1))
          try log.write(line)
          tally.disconnected(reason.description)
        case .connecting, .comment, .idCommitted: break
        }
      }
      fail("The server answered that there is no more (204).", stream, log, tally)
    } catch {
      fail("\(error)", stream, log, tally)
    }
  }

  /// `CLOCK_MONOTONIC` in nanoseconds.
  private static var now: Int64 { Int64(clamping: TransportClock.monotonicNanoseconds()) }

  /// Whether an event ends the stream: the origin's own last event, or one that model servers send.
  private static func isEnd(_ event: ServerSentEvent) -> Bool {
    event.type == "end" || event.data == "[DONE]"
  }

  private func line(_ kind: StreamLine.Kind, _ stream: Int, _ connection: ConnectionInfo?) -> StreamLine {
    var line = StreamLine(kind, at: Self.now, stream: stream)
    guard let connection else { return line }
    line.transport = connection.transport.rawValue
    line.connection = connections.number(of: connection)
    line.resumption = connection.resumption.rawValue
    line.reason = connection.reason
    return line
  }

  private func fail(_ cause: String, _ stream: Int, _ log: StreamLog, _ tally: Tally) {
    var line = StreamLine(.failed, at: Self.now, stream: stream)
    line.cause = cause
    tally.failed(cause)
    // What can't be written is missing in the file, and the exit code reports that the stream failed.
    try? log.write(line)
  }

  /// The streams' shared counts.
  private final class Tally: Sendable {
    /// The number of causes that are distinguished; further ones share one name.
    private static let mostCauses = 100
    private let state: Mutex<StreamLine.Summary>

    init(streams: Int, residentBefore: Int?) {
      state = Mutex(StreamLine.Summary(streams: streams, residentBefore: residentBefore))
    }

    func ended() { state.withLock { $0.ended += 1 } }

    func disconnected(_ cause: String) {
      state.withLock { summary in
        summary.reconnects += 1
        Self.count(cause, &summary)
      }
    }

    func failed(_ cause: String) { state.withLock { Self.count(cause, &$0) } }

    private static func count(_ cause: String, _ summary: inout StreamLine.Summary) {
      let isKnown = summary.causes[cause] != nil || summary.causes.count < mostCauses
      summary.causes[isKnown ? cause : "other", default: 0] += 1
    }

    var summary: StreamLine.Summary { state.withLock(\.self) }
  }
}
