import HTTP3Engine
import Testing

@testable import HTTP3Engine

/// Which TLS messages may come where (RFC 9001 §§ 4.1.3, 6), whole and in pieces of every size.
@Suite struct HandshakeMessageOrderTests {
  typealias Level = HandshakeMessageOrder.Level
  typealias Breach = HandshakeMessageOrder.Breach

  private static func message(_ type: UInt8, _ length: Int = 5) -> [UInt8] {
    [type, UInt8(length >> 16 & 0xff), UInt8(length >> 8 & 0xff), UInt8(length & 0xff)]
      + [UInt8](repeating: 24, count: length)
  }

  /// The breach that is found in the bytes in pieces of `size`.
  private static func breach(
    _ bytes: [UInt8], at level: Level, fromClient isServer: Bool, requested: Bool = false, pieces size: Int
  ) -> Breach? {
    var order = HandshakeMessageOrder(isServer: isServer)
    if requested { order.certificateWasRequested() }
    for start in stride(from: 0, to: bytes.count, by: size) {
      let breach = bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { order.breach(in: $0, at: level) }
      if let breach { return breach }
    }
    return nil
  }

  private static let sizes = [1, 2, 3, 4, 5, 9, 1_000_000]

  @Test(arguments: [Level.initial, .handshake, .oneRTT], sizes)
  func admitsEachTypeAtItsLevelAlone(_ level: Level, _ size: Int) {
    for type in UInt8.min...UInt8.max {
      let fromServer: Set<UInt8> =
        switch level {
        case .initial: [2]
        case .handshake: [8, 11, 13, 15, 20]
        case .oneRTT: [4]
        }
      let fromClient: Set<UInt8> =
        switch level {
        case .initial: [1]
        case .handshake: [20]
        case .oneRTT: []
        }
      for (isServer, allowed) in [(false, fromServer), (true, fromClient)] {
        let found = Self.breach(Self.message(type), at: level, fromClient: isServer, pieces: size)
        #expect(found == (allowed.contains(type) ? nil : .unexpected(type: type)))
      }
    }
  }

  @Test(arguments: sizes)
  func admitsAWholeFlightAndNothingBehindFinished(_ size: Int) {
    let flight = [8, 13, 11, 15, 20].flatMap { Self.message($0, Int($0) * 30) }
    #expect(Self.breach(flight, at: .handshake, fromClient: false, pieces: size) == nil)
    for type in [24, 4, 20, 0] as [UInt8] {
      let found = Self.breach(flight + [type], at: .handshake, fromClient: false, pieces: size)
      #expect(found == .unexpected(type: type))
    }
    // A body of no bytes ends with its length.
    let found = Self.breach(Self.message(20, 0) + [24], at: .handshake, fromClient: true, pieces: size)
    #expect(found == .unexpected(type: 24))
  }

  @Test(arguments: sizes)
  func admitsAnyNumberOfTicketsAndNoOtherMessageBetweenThem(_ size: Int) {
    let tickets = (0..<20).flatMap { Self.message(4, $0 * 40) }
    #expect(Self.breach(tickets, at: .oneRTT, fromClient: false, pieces: size) == nil)
    let found = Self.breach(tickets + Self.message(24, 1), at: .oneRTT, fromClient: false, pieces: size)
    #expect(found == .unexpected(type: 24))
  }

  @Test(arguments: sizes)
  func refusesMessagesLongerThanAreKept(_ size: Int) {
    let ticket = [4, 1, 0, 0] as [UInt8]
    #expect(Self.breach(ticket, at: .oneRTT, fromClient: false, pieces: size) == nil)
    #expect(Self.breach([4, 1, 0, 1], at: .oneRTT, fromClient: false, pieces: size) == .tooLong(65_537))
    #expect(Self.breach([11, 2, 0, 0], at: .handshake, fromClient: false, pieces: size) == nil)
    #expect(Self.breach([11, 2, 0, 1], at: .handshake, fromClient: false, pieces: size) == .tooLong(131_073))
  }

  struct Flight: CustomTestStringConvertible {
    /// Types and lengths.
    var messages: [(UInt8, Int)]
    var breach: Breach?
    var testDescription: String { messages.map { "\($0.0)" }.joined(separator: " ") }
  }

  /// A client's answers to a CertificateRequest (RFC 8446 §§ 4.4.2, 4.4.3).
  static let flights = [
    Flight(messages: [(11, 900), (15, 70), (20, 32)]),
    // No certificate, so that there is nothing to verify.
    Flight(messages: [(11, 4), (20, 32)]),
    Flight(messages: [(20, 32)], breach: .unexpected(type: 20)),
    Flight(messages: [(15, 70)], breach: .unexpected(type: 15)),
    Flight(messages: [(11, 900), (20, 32)], breach: .unexpected(type: 20)),
    Flight(messages: [(11, 4), (15, 70)], breach: .unexpected(type: 15)),
    Flight(messages: [(11, 900), (11, 900)], breach: .unexpected(type: 11)),
    Flight(messages: [(11, 900), (15, 70), (15, 70)], breach: .unexpected(type: 15)),
    Flight(messages: [(11, 900), (15, 70), (20, 32), (11, 4)], breach: .unexpected(type: 11)),
    Flight(messages: [(25, 900)], breach: .unexpected(type: 25)),
  ]

  @Test(arguments: flights, sizes)
  func aClientsCertificateComesInItsTurn(_ flight: Flight, _ size: Int) {
    let bytes = flight.messages.flatMap { Self.message($0.0, $0.1) }
    let found = Self.breach(bytes, at: .handshake, fromClient: true, requested: true, pieces: size)
    #expect(found == flight.breach)
  }

  @Test(arguments: sizes)
  func aClientsCertificatesHaveALimit(_ size: Int) {
    func breach(_ bytes: [UInt8]) -> Breach? {
      Self.breach(bytes, at: .handshake, fromClient: true, requested: true, pieces: size)
    }
    #expect(breach([11, 0, 0x80, 0]) == nil)
    #expect(breach([11, 0, 0x80, 1]) == .tooLong(32_769))
  }

  @Test func levelsAreReadApart() {
    var order = HandshakeMessageOrder(isServer: false)
    func breach(_ bytes: [UInt8], _ level: Level) -> Breach? {
      bytes.withUnsafeBytes { order.breach(in: $0, at: level) }
    }
    #expect(breach([2, 0, 0], .initial) == nil)
    #expect(breach([8, 0, 0, 1], .handshake) == nil)
    #expect(breach([0], .initial) == nil)
    #expect(breach([24, 20, 0, 0, 0], .handshake) == nil)
    #expect(breach([4, 0], .oneRTT) == nil)
    #expect(breach([20], .handshake) == .unexpected(type: 20))
  }
}
