import HTTP3Engine
import TestSupport
import Testing

@Suite struct QUICPacketHeaderTests {
  static func header(_ bytes: [UInt8]) -> QUICPacketHeader? { bytes.withUnsafeBytes { QUICPacketHeader($0) } }

  @Test func anInitialPacket() throws {
    let header = try #require(
      Self.header([0xc1, 0, 0, 0, 1, 2, 0xaa, 0xbb, 1, 0xcc, 3, 7, 7, 7, 0x44, 0xd0, 0x12, 0x34]))
    #expect(header.kind == .initial && header.space == .initial && header.version == 1 && header.keyPhase == nil)
    #expect(header.destination == [0xaa, 0xbb] && header.source == [0xcc] && header.tokenLength == 3)
    #expect(header.truncatedNumber == 0x1234 && header.numberLength == 2)
  }

  @Test func theOtherLongPackets() {
    let rest: [UInt8] = [0, 0, 0, 1, 0, 0, 0x10, 9]
    #expect(Self.header([0xd0] + rest)?.kind == .zeroRTT)
    #expect(Self.header([0xd0] + rest)?.space == .application)
    #expect(Self.header([0xe0] + rest)?.kind == .handshake)
    #expect(Self.header([0xf0] + rest) == nil)
  }

  @Test func aShortPacket() throws {
    let header = try #require(Self.header([0x46, 1, 2, 3, 0x12, 0x34, 0x56]))
    #expect(header.kind == .oneRTT && header.keyPhase == true && header.destination == [1, 2, 3])
    #expect(header.truncatedNumber == 0x123456 && header.source == nil)
  }

  @Test func cutAndDamagedHeadersAreNone() {
    let whole: [UInt8] = [0xc1, 0, 0, 0, 1, 2, 0xaa, 0xbb, 1, 0xcc, 3, 7, 7, 7, 0x44, 0xd0, 0x12, 0x34]
    for count in 0..<whole.count { #expect(Self.header(Array(whole.prefix(count))) == nil) }
    #expect(Self.header(whole + [0]) == nil)
    #expect(Self.header([0x43, 1, 2]) == nil)
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let bytes = (0..<Int(generator.next() % 40)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      let header = Self.header(bytes)
      #expect(header == nil || !bytes.isEmpty)
      _ = header?.number(after: generator.next() >> 2)
    }
  }

  /// The example of RFC 9000 appendix A.3, and the ends of the windows.
  @Test(
    arguments: [
      (2, 0x9b32, 0xa82f_30ea, 0xa82f_9b32), (1, 0x00, 0xff, 0x100), (1, 0xff, 0x100, 0xff), (1, 0x7f, 0, 0x7f),
      (1, 0xff, 0, 0xff), (4, 0, 0xffff_ffff, 0x1_0000_0000),
    ] as [(Int, UInt64, UInt64, UInt64)])
  func aNumberIsExpanded(_ length: Int, _ truncated: UInt64, _ largest: UInt64, _ whole: UInt64) throws {
    let number = (0..<length).map { UInt8(truncatingIfNeeded: truncated >> UInt64(8 * (length - 1 - $0))) }
    let header = try #require(Self.header([0x40 | UInt8(length - 1)] + number))
    #expect(header.number(after: largest) == whole)
  }

  @Test func theFirstNumberIsExpanded() throws {
    #expect(try #require(Self.header([0x40, 3])).number(after: nil) == 3)
  }
}
