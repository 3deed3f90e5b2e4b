import Testing

@testable import CodexCompanion

@Suite struct RolloutTimeTests {
  // date -u -d TEXT +%s
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2026-11-25T12:51:07.251Z", 1_795_611_067_251),
    ("2024-02-29T23:59:59.9Z", 1_709_251_199_900),
    ("2000-03-01T00:00:00.000Z", 951_868_800_000), ("2100-02-28T12:00:00.123456Z", 4_107_499_200_123),
    ("1969-12-31T23:59:59Z", -1_000),
  ])
  func timesAreRead(text: String, milliseconds: Int) {
    #expect(RolloutTime.milliseconds(text) == milliseconds)
  }

  @Test(arguments: [
    "", "2026", "2026-11-25", "2026-11-25T12:51:07", "2026-11-25T12:51:07+01:00", "2026-13-25T12:51:07Z",
    "2026-11-00T12:51:07Z", "2026-11-25T24:51:07Z", "2026-11-25 12:51:07Z", "+026-11-25T12:51:07Z",
    "2026-11-25T12:51:07.25",
    "2026-11-25T12:51:07ZZ",
  ])
  func otherTextIsNone(text: String) { #expect(RolloutTime.milliseconds(text) == nil) }
}
