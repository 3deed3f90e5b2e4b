import CQUIC

/// Sends the repeats of a server's connection: beside the content of new packets, and in packets of their own where a
/// client wishes it.
///
/// They are the first to be dropped: what finds no room in a packet or in the congestion window is not sent at all.
final class RepeatSender {
  private struct Response {
    let id: StreamID
    var ledger: RepeatLedger
    /// Packets with the stream's bytes that were lost.
    var lossCount = 0
  }

  private let quic: QUICConnection
  private let mapping: HTTP3Mapping
  private let configuration: RepeatConfiguration
  private var demand: RepeatDemand
  /// The responses, in the order in which they began, which decides where there is no room for all.
  private var responses: [Response] = []
  private var inFlight: [UInt64: (stream: StreamID, range: Range<UInt64>)] = [:]
  /// The number of the last datagram. Other datagrams have no number.
  private var number: UInt64 = 0
  /// Counts packets.
  private var packet: UInt64 = 0
  /// Bytes of the packet that is being written, at least, headers of frames among them.
  private var used = 0
  private(set) var counters = RepeatCounters()

  /// Nil where there are none to send.
  init?(_ quic: QUICConnection, _ mapping: StreamMapping, _ configuration: RepeatConfiguration?, isServer: Bool) {
    guard isServer, let configuration, let mapping = mapping.http3 else { return nil }
    self.quic = quic
    self.mapping = mapping
    self.configuration = configuration
    demand = RepeatDemand(isAdaptive: configuration.isAdaptive)
  }

  // MARK: Agreement

  /// The terms that are confirmed to the client about a response with these fields; nil for none.
  func confirmation(of response: [HeaderField], on id: StreamID) -> RepeatTerms? {
    // SETTINGS may be lost and come after the request.
    guard let wish = mapping.requests.stream(id)?.repeatWish, mapping.peerAllowsRepeats != false else { return nil }
    return configuration.confirmation(of: wish, in: response)
  }

  /// The response was begun under these terms.
  func begin(_ id: StreamID, _ terms: RepeatTerms) {
    responses.removeAll { !canRepeat($0.id) }
    responses.append(Response(id: id, ledger: RepeatLedger(hedge: terms.hedge)))
  }

  private func canRepeat(_ id: StreamID) -> Bool { mapping.requests.stream(id).map { !$0.send.isGivenUp } ?? false }

  // MARK: Packets

  /// The packet that is being written took the first `count` bytes of these.
  func didSend(
    _ vectors: UnsafeMutableBufferPointer<nghttp3_vec>, _ vectorCount: Int, count: Int, on id: StreamID,
    at now: Timestamp
  ) {
    guard count >= 0 else { return }
    used += count + Self.streamHeader
    guard count > 0, let index = responses.firstIndex(where: { $0.id == id }),
      let buffer = mapping.requests.stream(id)?.sendBuffer
    else { return }
    let lost = quic.streams.lossCount(of: id)
    if lost > responses[index].lossCount { demand.didLose(at: now) }
    responses[index].lossCount = lost
    demand.didSend(at: now)
    // Looking the content up takes as long as there is much of it.
    guard buffer.byteCount <= RepeatLedger.outstandingLimit else {
      return responses[index].ledger.passOver(count, at: now)
    }
    guard let range = buffer.content(of: vectors.prefix(vectorCount), count: count) else { return }
    responses[index].ledger.didSend(range, in: packet, at: now)
  }

  /// Puts repeats into the packet, which holds all new content that there is or, where there is none, into one of their
  /// own when that is due. Answers the packet's size when it is complete, 0 when there is room for other things, and the
  /// library's error.
  func write(_ packet: PacketPlace, at now: Timestamp) -> Int {
    guard demand.isOn, !responses.isEmpty, isAllowed else { return 0 }
    let isRide = used > 0
    guard isRide || deadline.map({ $0 <= now }) == true else { return 0 }
    responses.removeAll { !canRepeat($0.id) }
    let flight = quic.flight
    // What the peer takes in one frame (RFC 9221 § 3).
    let frameLimit = Int(clamping: quic.peerParameters?.datagramFrameLimit ?? 0)
    // New content does not wait for repeats: a quarter of the congestion window is left to it.
    var room = min(
      min(quic.maximumPayload, packet.bytes.count) - Self.packetOverhead,
      Int(clamping: flight.window / 4 * 3) - Int(clamping: flight.byteCount))
    room -= used
    for index in responses.indices {
      guard let buffer = mapping.requests.stream(responses[index].id)?.sendBuffer else { continue }
      responses[index].ledger.didAcknowledge(upTo: buffer.acknowledgedCount)
      while let range = takeRange(
        of: index, isRide: isRide, room: min(room, frameLimit) - Self.frameOverhead, at: now),
        let bytes = buffer.content(in: range)
      {
        let (count, isTaken) = write(ContentRange(offset: range.lowerBound, bytes: bytes), of: index, packet, at: now)
        if isTaken { counters.didSend(bytes.count, isHedge: !isRide) }
        room -= bytes.count + Self.frameOverhead
        guard count == ngtcp2_ssize(NGTCP2_ERR_WRITE_MORE) else { return count }
      }
      if isRide { responses[index].ledger.dropRides(in: self.packet) }
    }
    return 0
  }

  private var isAllowed: Bool {
    mapping.peerAllowsRepeats == true && mapping.peerSettings?.allowsDatagrams == true
  }

  private func takeRange(of index: Int, isRide: Bool, room: Int, at now: Timestamp) -> Range<UInt64>? {
    isRide
      ? responses[index].ledger.takeRide(in: packet, room: room)
      : responses[index].ledger.takeHedge(at: now, room: room)
  }

  private func write(
    _ range: ContentRange, of index: Int, _ packet: PacketPlace, at now: Timestamp
  ) -> (count: Int, isTaken: Bool) {
    let id = responses[index].id
    number += 1
    let answer = quic.write(
      datagram: HTTPDatagram(stream: id, payload: range.payload).frame, number: number, packet, at: now)
    if answer.isTaken { inFlight[number] = (id, range.offset..<range.end) }
    return answer
  }

  /// The packet is complete.
  func packetDidEnd() {
    packet += 1
    used = 0
  }

  /// A type, an id, an offset and a length of the longest kind.
  private static let streamHeader = 1 + 8 + 8 + 4
  /// A DATAGRAM frame's type and length, and the longest that precedes a repeat's bytes.
  private static let frameOverhead = 3 + ContentRange.longestPrefix
  /// A short header with the longest id and number, the tag, and an acknowledgement of some ranges. Where that is too
  /// little, the packet goes without the repeat.
  private static let packetOverhead = 1 + 20 + 4 + 16 + 60

  // MARK: Acknowledgements and time

  /// Content was acknowledged. What took longer than a probe time-out was lost with its packet: the library counts no
  /// loss where a probe has brought the bytes, as it does those of a lone event.
  func didAcknowledge(contentOf id: StreamID, at now: Timestamp) {
    guard let index = responses.firstIndex(where: { $0.id == id }),
      let place = mapping.requests.stream(id)?.sendBuffer.acknowledgedCount
    else { return }
    let since = responses[index].ledger.didAcknowledge(upTo: place)
    if let since, now > since + quic.probeTimeout { demand.didLose(at: now) }
  }

  /// The packet with a datagram was acknowledged.
  func didAcknowledge(_ number: UInt64) {
    guard let (id, range) = inFlight.removeValue(forKey: number),
      let index = responses.firstIndex(where: { $0.id == id })
    else { return }
    responses[index].ledger.didArrive(range)
  }

  /// Counts a packet of repeats as lost.
  func didLose(_ number: UInt64) {
    guard inFlight.removeValue(forKey: number) != nil else { return }
    counters.lost += 1
    demand.didLose(at: quic.now)
  }

  /// The time at which a packet of repeats is due; nil for none.
  var deadline: Timestamp? {
    guard demand.isOn, !responses.isEmpty else { return nil }
    return responses.lazy.compactMap(\.ledger.hedgeDeadline).min()
  }

  /// Gives up those that were due and that nothing let out.
  func dropHedges(at now: Timestamp) {
    guard let deadline, deadline <= now else { return }
    for index in responses.indices { responses[index].ledger.dropHedges(at: now) }
  }
}

/// Counts the repeats that one end of a connection has sent.
package struct RepeatCounters: Hashable, Sendable {
  /// Datagrams, and the content in them.
  package var sent: UInt64 = 0
  package var bytes: UInt64 = 0
  /// The datagrams that had no packet with new content to ride along with.
  package var hedges: UInt64 = 0
  /// The datagrams that were lost.
  package var lost: UInt64 = 0

  mutating func didSend(_ count: Int, isHedge: Bool) {
    sent += 1
    bytes += UInt64(count)
    if isHedge { hedges += 1 }
  }
}
