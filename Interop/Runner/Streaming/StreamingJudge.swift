import LinkModel
import StreamRecord

/// Applies a case's rule to a record; each check adds what it finds wrong.
struct StreamingJudge {
  private struct Event {
    var line: StreamLine
    var payload: StreamingRecord.Payload
    var lateness: Int64 { line.at - payload.due }
  }

  let test: StreamingCase
  let record: StreamingRecord
  private(set) var reasons: [String] = []
  /// Each stream's events in the order in which they came.
  private var events: [[Event]]

  /// Places named in a sentence; more are counted.
  private static let mostNamed = 5

  init(test: StreamingCase, record: StreamingRecord) {
    self.test = test
    self.record = record
    events = Array(repeating: [], count: test.workload.streams)
  }

  // MARK: Exactly once, in order, undamaged

  mutating func checkEvents() {
    for line in record.lines where line.kind == .event {
      guard let stream = line.stream, events.indices.contains(stream) else {
        reasons.append("An event is of stream \(line.stream.map(String.init) ?? "none"), which the case does not have.")
        continue
      }
      guard line.type == nil || line.type == "message" else { continue }
      guard let data = line.data, let payload = StreamingRecord.Payload(data) else {
        reasons.append(
          "Stream \(stream): the event with id \(line.id ?? "none") has data that the origin did not write.")
        continue
      }
      if line.id != "\(payload.sequence)" || line.bytes != test.workload.dataBytes(of: payload.sequence) {
        reasons.append(
          "Stream \(stream): event \(payload.sequence) is damaged: id \(line.id ?? "none"), \(line.bytes ?? 0) bytes of data, "
            + "\(test.workload.dataBytes(of: payload.sequence)) expected.")
      }
      events[stream].append(Event(line: line, payload: payload))
    }
    for stream in events.indices {
      let sequences = events[stream].map(\.payload.sequence)
      let counts = Dictionary(sequences.map { ($0, 1) }, uniquingKeysWith: +)
      complain(stream, "lost", (0..<test.workload.events).filter { counts[$0] == nil })
      complain(stream, "repeated", counts.filter { $0.value > 1 }.keys.sorted())
      complain(stream, "unknown", counts.keys.filter { $0 >= test.workload.events }.sorted())
      complain(stream, "out of order", zip(sequences, sequences.dropFirst()).filter { $0 > $1 }.map(\.1))
    }
  }

  private mutating func complain(_ stream: Int, _ what: String, _ sequences: [Int]) {
    guard !sequences.isEmpty else { return }
    let named = sequences.prefix(Self.mostNamed).map(String.init).joined(separator: ", ")
    let more = sequences.count > Self.mostNamed ? " and \(sequences.count - Self.mostNamed) more" : ""
    reasons.append("Stream \(stream): \(what): event \(named)\(more).")
  }

  // MARK: Ended in time

  mutating func checkEnds(hasEnded: Bool) {
    if !hasEnded {
      reasons.append("The client did not end by itself within \(Int(test.limitMilliseconds)) ms.")
    }
    for stream in events.indices {
      let own = record.lines.filter { $0.stream == stream }
      if let failure = own.first(where: { $0.kind == .failed }) {
        reasons.append("Stream \(stream) failed: \(failure.cause ?? "it does not say why.")")
      } else if !own.contains(where: { $0.kind == .ended }) {
        reasons.append("Stream \(stream) is cut short: the event that ends it never came.")
      }
    }
  }

  mutating func checkLateness() {
    let limit = test.rule.latestMilliseconds
    for stream in events.indices {
      let late = events[stream].filter { Double($0.lateness) > limit * 1e6 }
      if let worst = late.max(by: { $0.lateness < $1.lateness }) {
        reasons.append(
          "Stream \(stream): late: \(late.count) events came more than \(Int(limit)) ms after they were due, event "
            + "\(worst.payload.sequence) \(worst.lateness / 1_000_000) ms.")
      }
    }
    if let most = test.rule.medianRoundTrips, let numbers, numbers.medianRoundTrips > most {
      reasons.append(
        "Late: the median is \(StreamingNumbers.digits(numbers.medianRoundTrips)) round trips; it may be "
          + "\(StreamingNumbers.digits(most)).")
    }
    guard let most = test.rule.opensWithinMilliseconds else { return }
    let start = record.lines.first { $0.kind == .started }?.at
    for stream in events.indices {
      let opened = record.lines.first { $0.kind == .opened && $0.stream == stream }?.at
      guard let start, let opened else {
        reasons.append("Stream \(stream) was never open.")
        continue
      }
      if Double(opened - start) > most * 1e6 {
        reasons.append(
          "Stream \(stream): late: it was open after \((opened - start) / 1_000_000) ms; \(Int(most)) are allowed.")
      }
    }
  }

  // MARK: Over the right transport

  mutating func checkTransports() {
    for stream in events.indices {
      check(stream, "first", events[stream].first?.line.transport, test.rule.firstTransport)
      check(stream, "last", events[stream].last?.line.transport, test.rule.lastTransport)
    }
  }

  private mutating func check(_ stream: Int, _ place: String, _ transport: String?, _ expected: String?) {
    guard let expected, let transport, transport != expected else { return }
    reasons.append(
      "Stream \(stream): wrong transport: the \(place) event came over \(transport), not over \(expected).")
  }

  mutating func checkConnections(_ waivers: StreamingVerdict.Waivers) {
    let rule = test.rule
    for stream in events.indices {
      let count = reconnects(of: stream)
      if !rule.reconnects.contains(count) {
        let causes = record.lines.filter { $0.kind == .disconnected && $0.stream == stream }.compactMap(\.cause)
        let words = causes.prefix(Self.mostNamed).joined(separator: " ")
        reasons.append(
          "Stream \(stream) was opened anew \(count) times; \(rule.reconnects.lowerBound) to "
            + "\(rule.reconnects.upperBound) are expected. \(words)")
      }
    }
    let later = record.lines.filter { $0.kind == .opened && ($0.connection ?? 1) > 1 }
    let asksForResumption =
      !rule.resumption.isEmpty && (waivers.keepsTickets || rule.resumption.contains("earlyDataAccepted"))
    if asksForResumption, !later.contains(where: { rule.resumption.contains($0.resumption ?? "") }) {
      let seen = later.compactMap { line in line.transport.map { "\($0) \(line.resumption ?? "")" } }
      reasons.append(
        "No later connection has resumption \(rule.resumption.sorted().joined(separator: " or ")); there are: "
          + "\(seen.isEmpty ? "none" : seen.joined(separator: ", ")).")
    }
    let summary = record.lines.last { $0.kind == .summary }?.summary
    if rule.migrates, waivers.allowsMigration, (summary?.migrations ?? 0) < 1 {
      reasons.append("The connection did not go over to the client's other address.")
    }
    guard let most = rule.residentGrowthBytes else { return }
    guard let growth = Self.growth(summary) else {
      reasons.append("The client does not say how much memory it took.")
      return
    }
    if growth > most {
      reasons.append("The client's memory grew by \(growth >> 20) MiB; \(most >> 20) are allowed.")
    }
  }

  private func reconnects(of stream: Int) -> Int {
    max(0, record.lines.count { $0.kind == .opened && $0.stream == stream } - 1)
  }

  private static func growth(_ summary: StreamLine.Summary?) -> Int? {
    guard let before = summary?.residentBefore, let peak = summary?.residentPeak else { return nil }
    return peak - before
  }

  // MARK: Numbers

  var numbers: StreamingNumbers? {
    let all = events.flatMap(\.self)
    guard !all.isEmpty else { return nil }
    let roundTrip = test.link.roundTripMilliseconds * 1e6
    let sorted = all.map(\.lateness).sorted()
    func percentile(_ share: Double) -> Double {
      Double(Quantile.nearestRank(share, sorted: sorted) ?? 0) / roundTrip
    }
    let gaps = events.flatMap { stream in
      zip(stream, stream.dropFirst()).map { ($1.line.at - $0.line.at) - ($1.payload.due - $0.payload.due) }
    }
    let needsMemory = test.rule.residentGrowthBytes != nil
    return StreamingNumbers(
      events: all.count, medianRoundTrips: percentile(0.5), p99RoundTrips: percentile(0.99),
      maximumRoundTrips: percentile(1), longestGapMilliseconds: Double(max(gaps.max() ?? 0, 0)) / 1e6,
      originMilliseconds: Double(all.map { $0.payload.written - $0.payload.due }.max() ?? 0) / 1e6,
      reconnects: events.indices.reduce(0) { $0 + reconnects(of: $1) },
      connections: Set(record.lines.compactMap(\.connection)).count,
      residentGrowthBytes: needsMemory
        ? Self.growth(record.lines.last { $0.kind == .summary }?.summary) : nil)
  }
}
