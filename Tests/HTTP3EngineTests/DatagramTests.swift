import LinkModel
import TestSupport
import Testing

@testable import HTTP3Engine

/// HTTP Datagrams (RFC 9297): the server of ``EchoServer`` sends each one back.
@Suite struct DatagramTests {
  /// One request whose message the client holds open, and the datagrams that came back on it.
  private final class Exchange {
    let pair: QUICPair
    let server: EchoServer
    var stream: StreamID?
    var received: [[UInt8]] = []
    var closed: HTTP3Error?
    var isHandshakeDone = false
    let agrees: Bool

    init(
      seed: UInt64 = 1, conditions: LinkConditions = VirtualLink.plain, client: Bool = true, server takes: Bool = true
    ) throws {
      pair = try QUICPair.make(
        seed: seed, conditions: conditions, clientLimits: { $0.usesDatagrams = client },
        server: { $0.connection.usesDatagrams = takes })
      server = EchoServer(on: pair)
      agrees = client && takes
      pair.onClient = { [unowned self] event in
        switch event {
        case .handshakeCompleted: isHandshakeDone = true
        case .datagramReceived(let id, let payload):
          #expect(id == stream)
          received.append(payload)
        case .closed(let error): closed = error
        default: break
        }
      }
    }

    /// Opens the request and waits until the server knows it.
    func open(_ path: String = "/hold") throws {
      try pair.run { isHandshakeDone }
      stream = try pair.client.sendRequest(
        [
          HeaderField(":method", "POST"), HeaderField(":scheme", "https"), HeaderField(":authority", "localhost"),
          HeaderField(":path", path),
        ], endStream: false)
      try pair.run { !server.requests.isEmpty }
      // SETTINGS may be lost and come later.
      if agrees { try pair.run { pair.client.datagramLimit(on: StreamID(0)) != nil } }
    }

    func send(_ payload: [UInt8]) throws {
      try pair.client.sendDatagram(payload, on: try #require(stream))
    }
  }

  @Test func datagramsGoBothWays() throws {
    let exchange = try Exchange()
    try exchange.open()
    let payloads = [[], [7], EchoServer.pattern(1_000)]
    for payload in payloads { try exchange.send(payload) }
    try exchange.pair.run { exchange.received.count == 3 }
    #expect(exchange.received == payloads)
    #expect(exchange.closed == nil)
  }

  @Test func theLargestFitsAPacketAndOneMoreByteIsRefused() throws {
    let exchange = try Exchange()
    try exchange.open()
    // The path's MTU is known by then.
    try exchange.pair.run(for: .seconds(2))
    let stream = try #require(exchange.stream)
    let limit = try #require(exchange.pair.client.datagramLimit(on: stream))
    #expect(limit > 1_300)
    for size in limit - 3...limit { try exchange.send(EchoServer.pattern(size)) }
    try exchange.pair.run { exchange.received.count == 4 }
    #expect(exchange.received.map(\.count) == Array(limit - 3...limit))
    let error = #expect(throws: HTTP3Error.self) { try exchange.send(EchoServer.pattern(limit + 1)) }
    #expect(error?.code == .datagramTooLarge)
  }

  @Test(arguments: [1, 2, 3])
  func lostOnesDoNotComeBackAndTheStreamIsWhole(_ seed: UInt64) throws {
    var direction = DirectionConditions(oneWayDelayMilliseconds: 20)
    direction.loss = .bernoulli(rate: 0.2, longestBurst: nil)
    let exchange = try Exchange(seed: seed, conditions: LinkConditions(bothWays: direction))
    try exchange.open()
    let sent = (0..<300).map { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] + EchoServer.pattern(500) }
    for payload in sent {
      try exchange.send(payload)
      try exchange.pair.run(for: .milliseconds(25))
    }
    try exchange.pair.run(for: .seconds(10))
    // Two ways with a fifth lost on each leave about 192.
    #expect((140..<240).contains(exchange.received.count), "seed \(seed): \(exchange.received.count)")
    #expect(Set(exchange.received).count == exchange.received.count, "seed \(seed)")
    #expect(Set(exchange.received).isSubset(of: sent), "seed \(seed)")
    #expect(exchange.closed == nil)
  }

  @Test(arguments: [(true, false), (false, true), (false, false)])
  func withoutAgreementNothingIsSent(_ client: Bool, _ server: Bool) throws {
    let exchange = try Exchange(client: client, server: server)
    try exchange.open()
    try exchange.pair.run(for: .seconds(1))
    let error = #expect(throws: HTTP3Error.self) { try exchange.send([1]) }
    #expect(error?.code == .datagramsUnavailable)
    let key = try #require(exchange.server.keys.first)
    let connection = try #require(exchange.pair.server.connection(key))
    let stream = try #require(exchange.stream)
    let backwards = #expect(throws: HTTP3Error.self) { try connection.sendDatagram([1], on: stream) }
    #expect(backwards?.code == .datagramsUnavailable)
    #expect(exchange.closed == nil)
  }

  @Test func aStreamThatIsOverTakesNone() throws {
    let exchange = try Exchange()
    try exchange.open()
    let stream = try #require(exchange.stream)
    exchange.pair.client.cancel(stream, code: .requestCancelled)
    #expect(throws: HTTP3Error.self) { try exchange.send([1]) }
    let unknown = #expect(throws: HTTP3Error.self) { try exchange.pair.client.sendDatagram([1], on: StreamID(400)) }
    #expect(unknown?.code == .streamClosed)
    // What comes for a stream that is not open is dropped.
    try exchange.pair.client.datagrams.send([1], on: StreamID(400), limit: 100, isWritable: true)
    try exchange.pair.run(for: .seconds(1))
    #expect(exchange.received.isEmpty)
    #expect(exchange.closed == nil)
  }

  @Test func onesThatCannotLeaveAreRefusedBeyondABound() throws {
    let exchange = try Exchange()
    try exchange.open()
    try exchange.send([0])
    try exchange.pair.run { exchange.received.count == 1 }
    // Nothing is written meanwhile: the queue alone takes them.
    var taken = 0
    while taken <= 10_000, (try? exchange.send(EchoServer.pattern(1_000))) != nil { taken += 1 }
    #expect(taken == 128)
    let error = #expect(throws: HTTP3Error.self) { try exchange.send([1]) }
    #expect(error?.code == .datagramQueueFull)
    try exchange.pair.run { exchange.received.count == 129 }
  }

  /// An owner that takes no events does not make the engine hold all that a peer sends.
  @Test func onesThatNobodyTakesAreDroppedBeyondABound() throws {
    let exchange = try Exchange()
    try exchange.open()
    let stream = try #require(exchange.stream)
    for _ in 0..<5_000 { try [UInt8]([0x00, 9]).withUnsafeBytes { try exchange.pair.client.datagrams.receive($0) } }
    #expect(stream == StreamID(0))
    try exchange.pair.run(for: .seconds(1))
    #expect(exchange.received.count == 1_024)
    try [UInt8]([0x00, 9]).withUnsafeBytes { try exchange.pair.client.datagrams.receive($0) }
    try exchange.pair.run(for: .seconds(1))
    #expect(exchange.received.count == 1_025)
  }

  @Test func theyWaitForTheirTurnOnASlowLinkAndStreamsContinue() throws {
    var conditions = VirtualLink.plain
    conditions.toServer.rateBitsPerSecond = 1e6
    let exchange = try Exchange(conditions: conditions)
    try exchange.open("/echo")
    let stream = try #require(exchange.stream)
    try exchange.pair.client.sendBody(EchoServer.pattern(100_000), on: stream, endStream: false)
    var sent = 0
    for _ in 0..<400 {
      if (try? exchange.send(EchoServer.pattern(600))) != nil { sent += 1 }
      try exchange.pair.run(for: .milliseconds(10))
    }
    try exchange.pair.run(for: .seconds(5))
    #expect(exchange.received.count == sent)
    #expect(exchange.pair.client.bufferedBytes(on: stream) == 0)
  }

  @Test(
    arguments: [
      ([], nil), ([0x40], nil), ([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], nil),
      ([0xd0, 0, 0, 0, 0, 0, 0, 0], nil), ([0x00], HTTPDatagram(stream: StreamID(0), payload: [])),
      ([0x02, 5, 6], HTTPDatagram(stream: StreamID(8), payload: [5, 6])),
      ([0x40, 0x40, 1], HTTPDatagram(stream: StreamID(256), payload: [1])),
    ] as [([UInt8], HTTPDatagram?)])
  func framesAreRead(_ bytes: [UInt8], _ datagram: HTTPDatagram?) {
    #expect(bytes.withUnsafeBytes { HTTPDatagram(frame: $0) } == datagram)
    if let datagram { #expect(datagram.frame == bytes) }
  }

  @Test(arguments: [0, 63, 64, 16_383, 16_384, 1 << 30, (1 << 60) - 1] as [Int64])
  func everyStreamIDComesBack(_ quarter: Int64) {
    let datagram = HTTPDatagram(stream: StreamID(quarter * 4), payload: [1, 2])
    #expect(datagram.frame.withUnsafeBytes { HTTPDatagram(frame: $0) } == datagram)
  }

  @Test func aFrameThatNamesNoStreamEndsTheConnection() throws {
    let exchange = try Exchange()
    try exchange.open()
    let key = try #require(exchange.server.keys.first)
    let connection = try #require(exchange.pair.server.connection(key))
    let impossible = StreamID(1 << 62)
    exchange.pair.client.mapping.requests?.insert(impossible).send.didSend(isEnd: false)
    try exchange.pair.client.datagrams.send([1], on: impossible, limit: 100, isWritable: true)
    try exchange.pair.run { connection.isClosed }
    #expect(exchange.server.connectionErrors.first?.code == .application(.datagramError))
  }

  /// With a ticket that remembers the server's word for it (RFC 9297 § 2.1.1).
  @Test(arguments: [true, false])
  func earlyDatagramsGoBesideAnEarlyRequest(_ isRefused: Bool) throws {
    let exchange = try Exchange()
    let pair = exchange.pair
    let first = RequestClient(on: pair)
    try pair.run { !first.tickets.isEmpty }
    pair.client.close(.noError, reason: "", at: pair.now)
    try pair.run(for: .seconds(2))
    if isRefused { pair.replaceServer(try QUICPair.serverConfiguration { $0.connection.usesDatagrams = true }) }
    let ticket = first.tickets[0]
    try pair.replaceClient(
      QUICPair.clientConfiguration {
        $0.connection.usesDatagrams = true
        $0.ticket = ticket
      })
    var received: [[UInt8]] = []
    var hasEnded = false
    pair.onClient = { event in
      switch event {
      case .datagramReceived(_, let payload): received.append(payload)
      case .streamClosed: hasEnded = true
      default: break
      }
    }
    let stream = try pair.client.sendRequest(
      [
        HeaderField(":method", "GET"), HeaderField(":scheme", "https"), HeaderField(":authority", "localhost"),
        HeaderField(":path", "/hold"),
      ], endStream: false)
    for number in 0..<3 as Range<UInt8> { try pair.client.sendDatagram([number], on: stream) }
    let start = pair.now
    try pair.run { received.count == 3 || hasEnded }
    #expect(received == (isRefused ? [] : [[0], [1], [2]]))
    #expect(hasEnded == isRefused)
    #expect(pair.now - start < .milliseconds(41))
    #expect(exchange.server.earlyRequests == (isRefused ? 0 : 1))
  }
}
