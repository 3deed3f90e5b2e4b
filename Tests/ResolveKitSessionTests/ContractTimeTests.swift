import Foundation
import Testing

@testable import ResolveKitSession

struct ContractTimeTests {
  @Test(arguments: [
    ("2026-11-21T02:10:29Z", 0), ("2026-11-21T02:10:29+00:00", 0), ("2026-11-21T02:10:29.5Z", 0.5),
    ("2026-11-21T02:10:29.660544+00:00", 0.660_544), ("2026-11-21T04:10:29.660+02:00", 0.66),
  ])
  func momentsOfServersAreRead(text: String, fraction: Double) throws {
    let date = try #require(Date(contractTime: text))
    #expect(abs(date.timeIntervalSince1970 - 1_795_227_029 - fraction) < 0.000_5, "\(date.timeIntervalSince1970)")
  }

  @Test(arguments: ["", "yesterday", "2026-11-21", "1795227029"])
  func whatIsNoMomentIsNone(text: String) {
    #expect(Date(contractTime: text) == nil)
  }
}
