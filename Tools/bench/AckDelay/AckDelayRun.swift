import ArgumentParser
import EnginePair
import HTTP3Engine
import LabPeers
import LinkModel

/// One stream of events in virtual time.
struct AckDelayRun {
  /// Milliseconds.
  let delay: Int
  let roundTrip: Int
  let gap: Int
  let events: Int
  let lossRate: Double
  let seed: UInt64

  struct Outcome {
    /// The lateness of events whose first datagram was lost, in milliseconds.
    var medianOfLost: Double?
    var ninetiethOfLost: Double?
    /// Over all events.
    var meanLateness: Double
    var clientDatagramsPerEvent: Double
    var serverDatagramsPerEvent: Double
  }

  /// Added at most, each way: what the server's estimate of the variation has to live with.
  private static let jitter = 4.0

  func run() throws -> Outcome {
    var conditions = LinkConditions(
      bothWays: DirectionConditions(oneWayDelayMilliseconds: Double(roundTrip) / 2))
    conditions.toServer.jitter = .uniform(maximumMilliseconds: Self.jitter)
    conditions.toClient.jitter = .uniform(maximumMilliseconds: Self.jitter)
    let pair = try QUICPair.make(
      seed: seed, conditions: conditions,
      clientLimits: { $0.maximumAckDelay = .milliseconds(delay) })
    let stream = EventStreamOnPair(pair)
    try pair.run(until: { stream.place != nil })
    // The first probes and the handshake's last packets are not what is measured.
    try pair.run(for: .seconds(2))
    if lossRate > 0 {
      try pair.link.change { $0.toClient.loss = .bernoulli(rate: lossRate, longestBurst: nil) }
    }
    let before = pair.client.statistics
    let delivered = pair.link.delivered(.toClient)
    for _ in 0..<events {
      stream.send()
      try pair.run(for: .milliseconds(gap))
    }
    try pair.run(for: .seconds(5))
    guard stream.delays.count == events else {
      throw ValidationError("\(stream.delays.count) of \(events) events came (seed \(seed)).")
    }
    let after = pair.client.statistics
    // Without a loss an event takes the link's delay and its jitter; those behind a lost one wait with it.
    let late = stream.delays.map { max(0, $0 - Double(roundTrip) / 2 - Self.jitter) }
    let lost = late.indices.filter { late[$0] > 0.1 && ($0 == 0 || late[$0 - 1] <= 0.1) }.map { late[$0] }.sorted()
    return Outcome(
      medianOfLost: lost.isEmpty ? nil : lost[lost.count / 2],
      ninetiethOfLost: lost.isEmpty ? nil : lost[lost.count * 9 / 10],
      meanLateness: late.reduce(0, +) / Double(events),
      clientDatagramsPerEvent: Double(after.datagramsSent - before.datagramsSent) / Double(events),
      serverDatagramsPerEvent: Double(pair.link.delivered(.toClient) - delivered) / Double(events))
  }
}

/// Events of 200 bytes on one response, and when each one came.
private final class EventStreamOnPair {
  private static let size = 200

  private unowned let pair: QUICPair
  private(set) var place: (ConnectionKey, StreamID)?
  /// Milliseconds from the server's order to the client's event, in order.
  private(set) var delays: [Double] = []
  private var sentAt: [Timestamp] = []
  private var received = 0

  init(_ pair: QUICPair) {
    self.pair = pair
    pair.onClient = { [unowned self] in didReceive($0) }
    pair.onServer = { [unowned self] key, event in
      guard case .headersReceived(let id, _) = event else { return }
      try? self.pair.server.connection(key)?.sendResponse([HeaderField(":status", "200")], on: id, endStream: false)
      place = (key, id)
    }
  }

  func send() {
    guard let (key, id) = place else { return }
    sentAt.append(pair.now)
    let event = [UInt8](repeating: 0x61, count: Self.size)
    try? pair.server.connection(key)?.sendBody(event, on: id, endStream: false)
  }

  private func didReceive(_ event: HTTP3Event) {
    if case .handshakeCompleted = event {
      _ = try? pair.client.sendRequest(
        [
          HeaderField(":method", "GET"), HeaderField(":scheme", "https"), HeaderField(":authority", "localhost"),
          HeaderField(":path", "/"),
        ], endStream: true)
    } else if case .bodyReceived(let id, let bytes) = event {
      received += bytes.count
      pair.client.consume(bytes.count, on: id)
      while delays.count < received / Self.size {
        delays.append((pair.now - sentAt[delays.count]) / .milliseconds(1))
      }
    }
  }
}
