import Testing

@testable import HTTP3Engine

/// What a ClientHello tells of the ticket that it offers.
@Suite struct OfferedTicketTests {
  private static func sized(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)] + bytes
  }

  /// A ClientHello without its header, with a pre_shared_key extension of these identities.
  private static func clientHello(_ identities: [[UInt8]]) -> [UInt8] {
    let list = sized(identities.flatMap { sized($0) + [0, 0, 0, 1] })
    let keys = [0, 41] + sized(list + sized([32] + [UInt8](repeating: 4, count: 32)))
    return [3, 3] + [UInt8](repeating: 7, count: 32) + [0] + sized([0x13, 0x01]) + [1, 0]
      + sized([0, 45, 0, 2, 1, 1] + keys)
  }

  private static func keyName(_ message: [UInt8]) -> [UInt8]? {
    message.withUnsafeBytes { OfferedTicket.keyName(in: $0, 16) }
  }

  private static let ticket = [UInt8](1...40)

  @Test func itIsTheFirstTicketsBeginning() {
    #expect(Self.keyName(Self.clientHello([Self.ticket, [UInt8](repeating: 9, count: 40)])) == Array(1...16))
    #expect(Self.keyName(Self.clientHello([Array(1...16)])) == Array(1...16))
  }

  @Test(arguments: [[], [[]], [Array(1...15)], [[], Array(1...40)]] as [[[UInt8]]])
  func withoutARealTicketThereIsNone(_ identities: [[UInt8]]) {
    #expect(Self.keyName(Self.clientHello(identities)) == nil)
  }

  /// Cut, or with any byte changed: another name, or none.
  @Test func damageHarmsNobody() {
    let whole = Self.clientHello([Self.ticket])
    for index in whole.indices {
      #expect(Self.keyName(Array(whole[..<index]))?.count ?? 16 == 16)
      for bit in [0x01, 0x80, 0xff] as [UInt8] {
        var changed = whole
        changed[index] ^= bit
        #expect(Self.keyName(changed)?.count ?? 16 == 16)
      }
    }
    #expect(Self.keyName([]) == nil)
  }
}
