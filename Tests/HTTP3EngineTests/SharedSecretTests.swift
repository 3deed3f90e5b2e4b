import Foundation
import HTTP3Engine
import Synchronization
import TestSupport
import Testing

/// Tickets and tokens under secrets that servers share and replace.
@Suite struct SharedSecretTests {
  /// The time of day of the servers in a test, which has to be the real one for GnuTLS's tickets.
  private final class Clock: Sendable {
    private let added = Mutex(0)
    let start: Int

    init(_ start: Int) { self.start = start }

    func move(by seconds: Int) { added.withLock { $0 += seconds } }
    @Sendable func read() -> Int { start + added.withLock { $0 } }
  }

  private static let (old, new, other) = (secret(1), secret(2), secret(3))
  private static func secret(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

  private static func server(
    _ secrets: [[UInt8]], _ clock: Clock, takesEarlyData: Bool = true,
    validation: AddressValidationPolicy = .whenBusy(handshakes: 100)
  ) throws -> ServerConfiguration {
    try QUICPair.serverConfiguration {
      $0.secrets = secrets
      $0.secondsSince1970 = clock.read
      $0.takesEarlyData = takesEarlyData
      $0.addressValidation = validation
    }
  }

  private static func now() -> Clock { Clock(Int(Date.now.timeIntervalSince1970)) }

  /// A pair whose client has tickets and tokens of its server.
  private static func warm(_ server: ServerConfiguration) throws -> (QUICPair, RequestClient) {
    let pair = try QUICPair(client: QUICPair.clientConfiguration(), server: server)
    _ = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    try pair.run { client.tickets.count >= 2 && !client.tokens.isEmpty }
    return (pair, client)
  }

  /// A client with a ticket asks once; the handshake's result, and the tickets that it was given.
  private static func resume(_ pair: QUICPair, _ ticket: ResumptionTicket) throws -> RequestClient {
    let server = EchoServer(on: pair)
    try pair.replaceClient(QUICPair.clientConfiguration { $0.ticket = ticket })
    let client = RequestClient(on: pair)
    client.repeatsRefusedRequests = true
    client.send("GET", "/bytes/10")
    try pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(10) && server.requests.count == 1)
    try pair.run(for: .seconds(1))
    return client
  }

  @Test func aTicketOfAnEarlierSecretResumesAndIsFollowedByNone() throws {
    let clock = Self.now()
    let (pair, first) = try Self.warm(Self.server([Self.old], clock))
    pair.replaceServer(try Self.server([Self.new, Self.other, Self.old], clock))
    let second = try Self.resume(pair, first.tickets[0])
    #expect(second.handshake?.isResumed == true)
    #expect(second.tickets.isEmpty)
    // What is sealed from now on is sealed under the first alone.
    try pair.replaceClient(QUICPair.clientConfiguration())
    let third = RequestClient(on: pair)
    try pair.run { third.tickets.count >= 2 }
    pair.replaceServer(try Self.server([Self.new], clock))
    #expect(try Self.resume(pair, third.tickets[0]).handshake?.isResumed == true)
    #expect(try Self.resume(pair, first.tickets[1]).handshake?.isResumed == false)
  }

  @Test func secretsAreReplacedWhileTheServerRuns() throws {
    let (pair, first) = try Self.warm(Self.server([Self.old], Self.now()))
    pair.server.use(secrets: [Self.new, Self.old])
    #expect(try Self.resume(pair, first.tickets[0]).handshake?.isResumed == true)
    pair.server.use(secrets: [Self.new])
    #expect(try Self.resume(pair, first.tickets[1]).handshake?.isResumed == false)
    pair.server.use(secrets: [])
    let last = try Self.resume(pair, first.tickets[1])
    #expect(last.handshake?.isResumed == false && last.tickets.count == 2)
  }

  /// A round trip of 40 ms more is a Retry.
  private static func handshakeTime(_ pair: QUICPair, token: [UInt8]) throws -> Duration {
    try pair.replaceClient(QUICPair.clientConfiguration { $0.token = token })
    let client = RequestClient(on: pair)
    let start = pair.now
    try pair.run { client.handshake != nil }
    return pair.now - start
  }

  @Test func aTokenIsGoodAtEachServerUnderTheSecretForADay() throws {
    let clock = Self.now()
    let (pair, client) = try Self.warm(Self.server([Self.old], clock, validation: .always))
    let token = client.tokens[0]
    pair.replaceServer(try Self.server([Self.new, Self.old], clock, validation: .always))
    #expect(try Self.handshakeTime(pair, token: token) == .milliseconds(40))
    // Once.
    #expect(try Self.handshakeTime(pair, token: token) == .milliseconds(80))
    pair.replaceServer(try Self.server([Self.new], clock, validation: .always))
    #expect(try Self.handshakeTime(pair, token: token) == .milliseconds(80))
    pair.server.use(secrets: [Self.new, Self.old])
    #expect(try Self.handshakeTime(pair, token: token) == .milliseconds(40))
    pair.replaceServer(try Self.server([Self.old], clock, validation: .always))
    clock.move(by: 24 * 3_600 + 1)
    #expect(try Self.handshakeTime(pair, token: token) == .milliseconds(80))
  }

  /// Early data that a server begins to take later comes with tickets of its own from then on.
  @Test func earlyDataBeginsWithNewTickets() throws {
    let clock = Self.now()
    let (pair, first) = try Self.warm(Self.server([Self.old], clock))
    pair.replaceServer(try Self.server([Self.old], clock, takesEarlyData: false))
    #expect(try Self.resume(pair, first.tickets[0]).handshake?.earlyData == .rejected)
    try pair.server.beginEarlyData()
    let second = try Self.resume(pair, first.tickets[1])
    #expect(second.handshake?.isResumed == true && second.handshake?.earlyData == .rejected)
    #expect(try Self.resume(pair, second.tickets[0]).handshake?.earlyData == .accepted)
  }
}
