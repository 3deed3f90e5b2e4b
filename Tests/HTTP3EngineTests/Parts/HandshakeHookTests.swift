import Testing

@testable import HTTP3Engine

/// A handshake's fate by the messages that GnuTLS reads.
@Suite struct HandshakeHookTests {
  private typealias Moment = HandshakeHook.Moment

  private func verdict(
    _ message: HandshakeHook.Message, _ moment: HandshakeHook.Moment, _ bytes: [UInt8] = [], offers: Bool = false,
    opens: Bool = false
  ) -> HandshakeHook.Verdict {
    let hook = HandshakeHook(offersEarlyData: offers, opensEarlyData: opens, groups: [.x25519])
    return bytes.withUnsafeBytes { hook.verdict(on: message, moment, $0) }
  }

  /// An extension with a length of two bytes before its contents.
  private static func field(_ number: UInt8, _ contents: [UInt8]) -> [UInt8] {
    [0, number, 0, UInt8(contents.count)] + contents
  }

  private static func list(_ extensions: [UInt8]) -> [UInt8] { [0, UInt8(extensions.count)] + extensions }

  /// Version, random, no session id, one cipher suite and no compression before the extensions (RFC 8446 § 4.1.2).
  private static func clientHello(_ extensions: [UInt8]) -> [UInt8] {
    [3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0x13, 0x01, 1, 0] + list(extensions)
  }

  private static let parameter: [UInt8] = [0x01, 0x01, 0x05]

  @Test func aTicketIsReadBeforeAndKeptAfterGnuTLSHasTakenIt() {
    let ticket: [UInt8] =
      [0, 0, 0, 1, 0, 0, 0, 0] + [0] + [0, 1, 9] + Self.list(Self.field(42, [255, 255, 255, 255]))
    #expect(verdict(.newSessionTicket, .beforeTaking, ticket) == .willReadTicket(allowsEarlyData: true))
    #expect(verdict(.newSessionTicket, .beforeTaking, []) == .willReadTicket(allowsEarlyData: false))
    #expect(verdict(.newSessionTicket, .afterTaking) == .didReadTicket)
    #expect(verdict(.newSessionTicket, .sending) == .proceed)
  }

  @Test func anotherKeyExchangeIsTooLateBesideEarlyData() {
    #expect(verdict(.helloRetryRequest, .beforeTaking) == .proceed)
    #expect(verdict(.helloRetryRequest, .beforeTaking, offers: true) == .retryWithoutEarlyData)
    #expect(verdict(.helloRetryRequest, .sending) == .proceed)
    #expect(verdict(.helloRetryRequest, .sending, opens: true) == .tooLateToRetry)
    #expect(verdict(.helloRetryRequest, .afterTaking, offers: true, opens: true) == .proceed)
  }

  @Test func parametersThatAreGivenTwiceEndTheHandshake() {
    let once = Self.field(0x39, Self.parameter)
    let twice = Self.field(0x39, Self.parameter + Self.parameter)
    #expect(verdict(.clientHello, .beforeTaking, Self.clientHello(once)) == .proceed)
    #expect(verdict(.clientHello, .beforeTaking, Self.clientHello(twice)) == .malformedParameters)
    #expect(verdict(.encryptedExtensions, .beforeTaking, Self.list(once)) == .proceed)
    #expect(verdict(.encryptedExtensions, .beforeTaking, Self.list(twice)) == .malformedParameters)
    #expect(verdict(.encryptedExtensions, .sending, Self.list(twice)) == .proceed)
  }

  @Test func earlyDataIsRefusedWithoutAKeyShareThatCanBeUsed() {
    let early = Self.field(42, [])
    func share(_ group: UInt8) -> [UInt8] { Self.field(51, [0, 5, 0, group, 0, 1, 1]) }
    #expect(verdict(.clientHello, .beforeTaking, Self.clientHello(early + share(29))) == .proceed)
    #expect(verdict(.clientHello, .beforeTaking, Self.clientHello(early + share(24))) == .refuseEarlyData)
    #expect(verdict(.clientHello, .beforeTaking, Self.clientHello(share(24))) == .proceed)
  }

  @Test func aServerThatAsksExpectsACertificate() {
    #expect(verdict(.certificateRequest, .sending) == .expectCertificate)
    #expect(verdict(.certificateRequest, .beforeTaking) == .proceed)
    #expect(verdict(.certificate, .sending) == .proceed)
  }

  @Test func certificatesAreCountedBeforeGnuTLSReadsThem() {
    func message(_ count: Int) -> [UInt8] {
      CertificateBytes.message([[UInt8]](repeating: [0x30, 0], count: count))
    }
    #expect(verdict(.certificate, .beforeTaking, message(0)) == .proceed)
    #expect(verdict(.certificate, .beforeTaking, message(16)) == .proceed)
    #expect(verdict(.certificate, .beforeTaking, message(17)) == .refuseCertificates(.tooMany))
    #expect(verdict(.certificate, .afterTaking, message(17)) == .proceed)
  }

  /// GnuTLS would check a signature with it, which takes the longer the longer it is; anybody may send one.
  @Test func aLeafWithALongRSAKeyIsRefusedBeforeItIsUsed() {
    func verdict(modulus: Int, exponent: Int, behind: [[UInt8]] = []) -> HandshakeHook.Verdict {
      let leaf = CertificateBytes.rsa(modulusCount: modulus, exponentCount: exponent)
      return self.verdict(.certificate, .beforeTaking, CertificateBytes.message(behind + [leaf]))
    }
    #expect(verdict(modulus: 256, exponent: 3) == .proceed)
    #expect(verdict(modulus: 1_024, exponent: 3) == .proceed)
    #expect(verdict(modulus: 1_025, exponent: 3) == .refuseCertificates(.keyTooLong))
    #expect(verdict(modulus: 16_000, exponent: 3) == .refuseCertificates(.keyTooLong))
    #expect(verdict(modulus: 256, exponent: 200) == .refuseCertificates(.keyTooLong))
    // Behind another one it is used once an authority has vouched for it.
    let short = CertificateBytes.rsa(modulusCount: 256, exponentCount: 3)
    #expect(verdict(modulus: 16_000, exponent: 3, behind: [short]) == .proceed)
  }

  @Test func certificateMessagesOfAnyLengthAreRead() {
    let message = CertificateBytes.message([CertificateBytes.rsa(modulusCount: 1_025, exponentCount: 3)])
    for count in 0..<message.count {
      #expect(verdict(.certificate, .beforeTaking, Array(message.prefix(count))) == .proceed)
    }
    for index in stride(from: 0, to: message.count, by: 7) {
      var damaged = message
      damaged[index] ^= 0xa5
      _ = verdict(.certificate, .beforeTaking, damaged)
    }
  }

  @Test func bytesOfAnyLengthAreRead() {
    let hello = Self.clientHello(Self.field(42, []) + Self.field(0x39, Self.parameter + Self.parameter))
    for count in 0...hello.count {
      for message in [HandshakeHook.Message.clientHello, .encryptedExtensions, .certificate, .newSessionTicket] {
        _ = verdict(message, .beforeTaking, Array(hello.prefix(count)))
      }
    }
    #expect(verdict(.clientHello, .beforeTaking, Array(hello.dropLast())) != .refuseEarlyData)
  }
}
