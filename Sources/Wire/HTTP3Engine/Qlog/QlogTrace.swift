/// The record of one connection's events, in the schema 0.3 of qlog (draft-ietf-quic-qlog-main-schema-02 and
/// draft-ietf-quic-qlog-quic-events-02), which qvis loads.
///
/// Written here and not by ngtcp2, whose own writer overflows its stack on hostile parameters before 1.23. Secrets, tokens
/// and bodies are never written; see ``QlogRedaction`` for fields.
final class QlogTrace {
  let configuration: QlogConfiguration
  let isServer: Bool
  let reportsCongestion: Bool
  /// The time of what is recorded; the owner sets it.
  var now: Timestamp
  /// The memory of packets, parameters and HTTP; in the extensions' files.
  var packets = PacketState()
  var state = ConnectionState()
  var http = HTTPState()

  private let start: Timestamp
  private let name: String
  private var writer = QlogWriter()
  private var waiting: [UInt8] = []
  private var totalCount = 0
  private var droppedCount = 0
  private var isFull = false
  /// Room that every limit keeps for the records of missing events.
  private static let reserve = 512

  /// - Parameters:
  ///   - original: the destination connection id of the client's first packet, which both sides know.
  ///   - reportsCongestion: whether the congestion controller names all of its states; Reno is silent when it leaves
  ///     recovery.
  init(
    _ configuration: QlogConfiguration, original: [UInt8], isServer: Bool, reportsCongestion: Bool = true,
    at now: Timestamp
  ) {
    self.configuration = configuration
    self.isServer = isServer
    self.reportsCongestion = reportsCongestion
    self.now = now
    start = now
    var hex = QlogWriter()
    hex.hex(original)
    name = String(decoding: hex.bytes.dropFirst().dropLast(), as: UTF8.self) + (isServer ? "_server" : "_client")
    writeHeader(original)
  }

  var hasOutput: Bool { !waiting.isEmpty }

  /// Takes what was recorded since the last call, and how much of it had no room.
  func take(isLast: Bool) -> QlogOutput? {
    guard hasOutput || isLast else { return nil }
    if droppedCount > 0 {
      let count = droppedCount
      write("generic:warning") { $0.text("message", "\(count) events are missing here: they were not taken in time.") }
      _ = commit(upTo: .max)
      droppedCount = 0
    }
    defer { waiting = [] }
    return QlogOutput(name: name, bytes: waiting, isLast: isLast)
  }

  /// Records one event at the time ``now``, or counts it where there is no room; then all that follow are counted until
  /// the next ``take(isLast:)``, so that a trace has one gap and not many.
  func record(_ name: StaticString, _ body: (inout QlogWriter) -> Void) {
    guard !isFull else { return }
    guard droppedCount == 0 else {
      droppedCount += 1
      return
    }
    write(name, body)
    if !commit(upTo: configuration.waitingLimit - Self.reserve) { droppedCount = 1 }
  }

  // MARK: Parts

  private func write(_ event: StaticString, _ body: (inout QlogWriter) -> Void) {
    let time = UInt64(clamping: (now - start).nanosecondsClamped)
    writer.removeAll()
    writer.object {
      $0.milliseconds("time", nanoseconds: time)
      $0.text("name", String(describing: event))
      $0.object("data", body)
    }
  }

  /// Adds the record that was written to those that wait, if there is room.
  private func commit(upTo limit: Int) -> Bool {
    let count = writer.bytes.count + 2
    guard waiting.count + count <= limit else { return false }
    if !isFull, totalCount + count > configuration.totalLimit - Self.reserve {
      isFull = true
      write("generic:warning") { $0.text("message", "The trace ends here: it has reached its limit.") }
    }
    waiting.append(0x1e)
    waiting.append(contentsOf: writer.bytes)
    waiting.append(0x0a)
    totalCount += count
    return true
  }

  private func writeHeader(_ original: [UInt8]) {
    let epoch = UInt64(clamping: configuration.epoch.nanosecondsClamped)
    let reference = epoch == 0 ? 0 : epoch.addingReportingOverflow(start.nanoseconds).partialValue
    writer.object {
      $0.text("qlog_version", "0.3")
      $0.text("qlog_format", "JSON-SEQ")
      $0.text("title", isServer ? "HTTP/3 server" : "HTTP/3 client")
      $0.text("description", Self.absences)
      $0.object("trace") {
        $0.object("vantage_point") {
          $0.text("name", "agent-stream, ngtcp2 \(EngineVersions.ngtcp2), nghttp3 \(EngineVersions.nghttp3)")
          $0.text("type", isServer ? "server" : "client")
        }
        $0.text("title", name)
        $0.text("description", Self.absences)
        $0.object("common_fields") {
          $0.hex("ODCID", original)
          $0.hex("group_id", original)
          $0.array("protocol_type") {
            $0.text("QUIC")
            $0.text("HTTP3")
          }
          $0.text("time_format", "relative")
          $0.milliseconds("reference_time", nanoseconds: reference)
        }
      }
    }
    _ = commit(upTo: .max)
  }

  /// The events that a reader would look for in vain, and why.
  private static let absences = """
    Absent, because the library does not tell it: why a packet was lost, and its frames; why a packet was sent \
    (retransmission, probe); the state of congestion control with Reno; the return of pto_count to 0; pacing; the \
    times at which TLS's keys came; QPACK's instructions. Packets are reported when they are sealed or opened; those that \
    cannot be opened as far as the library names a reason; Retry, Version Negotiation and stateless reset not as \
    packets. Losses, timers and the state of congestion control are read from the library's log. Absent on purpose: \
    secrets, tokens, bodies, values of fields that are not well known, and the query of a path. frame_size and byte_length \
    are for qvis.
    """
}
