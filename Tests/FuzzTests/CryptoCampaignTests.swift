import FuzzTargets
import Testing

/// A short campaign with each of some seeds; a long one is `Tools/fuzz/run --handshakes N --messages N`.
@Suite struct CryptoCampaignTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func forgedTLSBytesEndNoProcess(_ seed: UInt64) {
    var campaign = CryptoCampaign(seed: seed)
    for _ in 0..<30 { campaign.shakeHands() }
    campaign.sendMessages(6_000)
    let tally = campaign.tally
    // Bytes that are changed end handshakes, hostile messages connections, and well-formed tickets none.
    #expect(0 < tally.completed && tally.completed < tally.handshakes, "seed \(seed): \(tally)")
    #expect((2...60).contains(tally.connections), "seed \(seed): \(tally)")
  }
}
