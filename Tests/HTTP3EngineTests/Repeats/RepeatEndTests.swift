import LinkModel
import TestSupport
import Testing

@testable import HTTP3Engine

/// The ends that a response with repeats may have.
@Suite struct RepeatEndTests {
  /// A request that the test answers, one event after the other.
  private final class Exchange {
    let pair: QUICPair
    let client: RequestClient
    private var key: ConnectionKey?
    private(set) var requests: [StreamID] = []
    private(set) var stops: [StreamID] = []

    init() throws {
      pair = try QUICPair.make(
        clientLimits: { $0.repeats = RepeatConfiguration(responses: .all, hedge: .milliseconds(5)) },
        server: { $0.connection.repeats = RepeatConfiguration(responses: .all, isAdaptive: false) })
      client = RequestClient(on: pair)
      pair.onServer = { [unowned self] key, event in
        self.key = key
        switch event {
        case .headersReceived(let id, _): requests.append(id)
        case .stopSendingReceived(let id, _): stops.append(id)
        default: break
        }
      }
      client.send("GET", "/")
      try pair.run { !requests.isEmpty }
    }

    /// Looked up for each order, by which the endpoint knows that there is something to write.
    var server: HTTP3Connection? { key.flatMap { pair.server.connection($0) } }

    func respond(_ fields: [HeaderField] = []) throws -> StreamID {
      try #require(server).sendResponse([HeaderField(":status", "200")] + fields, on: requests[0], endStream: false)
      try pair.run { client.answers[0].status == "200" }
      // Until path-MTU probes do not hold packets back.
      try pair.run(for: .milliseconds(300))
      return requests[0]
    }

    /// Three events, whose first packet is lost; the client has all of them by repeats, and by the stream none.
    func sendEvents() throws {
      pair.link.cuts = [.toClient]
      try #require(server).sendBody([1, 2, 3], on: requests[0], endStream: false)
      try pair.run(for: .milliseconds(1))
      pair.link.cuts = []
      try #require(server).sendBody([4, 5, 6], on: requests[0], endStream: false)
      try pair.run(for: .milliseconds(1))
      try #require(server).sendBody([7, 8, 9], on: requests[0], endStream: false)
      try pair.run(for: .milliseconds(22))
      #expect(client.answers[0].body == Self.events)
      let stream = pair.client.mapping.requests?.stream(requests[0])
      #expect(stream?.assembly?.early == 9)
    }

    static let events = [UInt8](1...9)
  }

  @Test func trailersComeBehindTheWholeContent() throws {
    let exchange = try Exchange()
    let id = try exchange.respond()
    try exchange.sendEvents()
    try #require(exchange.server).sendTrailers([HeaderField("x-end", "1")], on: id)
    try exchange.pair.run { exchange.client.isDone }
    #expect(exchange.client.answers[0].body == Exchange.events)
    #expect(exchange.client.answers[0].trailers == [HeaderField("x-end", "1")])
    #expect(exchange.client.answers[0].isComplete && exchange.client.closed == nil)
  }

  /// A length is of the content, which repeats add nothing to.
  @Test(arguments: [9, 8, 10])
  func theContentsLengthIsTheStreams(_ length: Int) throws {
    let exchange = try Exchange()
    let id = try exchange.respond([HeaderField("content-length", "\(length)")])
    try exchange.sendEvents()
    try #require(exchange.server).sendBody([], on: id, endStream: true)
    try exchange.pair.run { exchange.client.isDone }
    #expect(exchange.client.answers[0].isComplete == (length == 9))
    #expect(exchange.client.answers[0].error?.code == (length == 9 ? nil : .application(.messageError)))
  }

  /// Content that was handed on early and consumed is not credited, nor is content that never comes: the windows stay
  /// as they are.
  @Test func aResetEndsItBehindWhatWasHandedOn() throws {
    let exchange = try Exchange()
    let id = try exchange.respond()
    try exchange.sendEvents()
    try #require(exchange.server).cancel(id, code: .internalError)
    try exchange.pair.run { exchange.client.isDone }
    #expect(exchange.client.answers[0].error?.code == .application(.internalError))
    #expect(exchange.client.answers[0].body == Exchange.events && exchange.client.closed == nil)
    let sent = exchange.server?.statistics.repeats.sent
    try exchange.pair.run(for: .seconds(1))
    #expect(exchange.server?.statistics.repeats.sent == sent)
  }

  @Test func aClientThatCancelsIsSentNoMore() throws {
    let exchange = try Exchange()
    let id = try exchange.respond()
    try exchange.sendEvents()
    exchange.pair.client.cancel(id, code: .requestCancelled)
    try exchange.pair.run { !exchange.stops.isEmpty }
    let sent = exchange.server?.statistics.repeats.sent
    try exchange.pair.run(for: .seconds(1))
    #expect(exchange.server?.statistics.repeats.sent == sent && exchange.client.closed == nil)
  }

  /// A client that reads no more gives back what the stream brings, and hands nothing on.
  @Test func aClientThatReadsNoMoreTakesNoRepeats() throws {
    let exchange = try Exchange()
    _ = try exchange.respond()
    try exchange.sendEvents()
    exchange.pair.client.stopReading(exchange.requests[0])
    try exchange.pair.run(for: .seconds(1))
    #expect(exchange.client.answers[0].body == Exchange.events && exchange.client.closed == nil)
  }

  @Test func aServerThatGoesAwayRepeatsToTheEnd() throws {
    let exchange = try Exchange()
    let id = try exchange.respond()
    try #require(exchange.server).goAway()
    try exchange.pair.run { exchange.client.goAway != nil }
    try exchange.sendEvents()
    try #require(exchange.server).sendBody([10], on: id, endStream: true)
    try exchange.pair.run { exchange.client.isDone }
    #expect(exchange.client.answers[0].body == Exchange.events + [10] && exchange.client.answers[0].isComplete)
  }
}
