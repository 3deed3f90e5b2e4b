import Testing

@testable import HTTP3Engine

/// The library's wake-ups in a handshake (RFC 9002 § 7.7).
@Suite struct HandshakePacingTests {
  @Test func anIntervalOfTheHandshakeIsNotWokenUpFor() {
    var pacing = HandshakePacing()
    #expect(pacing.expiry(5) == 5)
    pacing.begin(expiry: 90)
    // The library's next time-out is pacing's own.
    #expect(pacing.expiry(5) == 90)
    pacing.end()
    #expect(pacing.expiry(5) == 5)
  }
}
