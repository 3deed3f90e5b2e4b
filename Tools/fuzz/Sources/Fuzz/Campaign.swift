import Foundation
import FuzzTargets

/// Runs a ``CryptoCampaign`` and prints its outcome, with a line for each tenth part.
func runCampaign(handshakes: Int, messages: Int, seed: UInt64) {
  var campaign = CryptoCampaign(seed: seed)
  let began = Date()
  func report() {
    let tally = campaign.tally
    print(
      "\(Int(Date().timeIntervalSince(began))) s: \(tally.handshakes) handshakes, \(tally.completed) completed; "
        + "\(tally.messages) messages on \(tally.connections) connections")
    fflush(nil)
  }
  print("seed \(seed)")
  for part in 0..<10 {
    for _ in 0..<handshakes * (part + 1) / 10 - handshakes * part / 10 { campaign.shakeHands() }
    campaign.sendMessages(messages * (part + 1) / 10 - messages * part / 10)
    report()
  }
  for (ending, count) in campaign.tally.endings.sorted(by: { $0.value > $1.value }) { print("\(count)  \(ending)") }
}
