import Testing

@testable import LinkModel

@Suite struct MahimahiTraceTests {
  @Test(
    "Files are read",
    arguments: [("1\n2\n2\n10\n", [1, 2, 2, 10]), ("5", [5]), ("0\r\n7\r\n", [0, 7]), ("007\n", [7])])
  func reads(text: String, times: [Int]) throws {
    #expect(try MahimahiTrace.opportunities(in: Array(text.utf8)) == times)
  }

  @Test(
    "Errors name the line and the remedy",
    arguments: [
      ("", "the trace has no lines; write one time"),
      ("0\n0\n", "line 2: the last time is 0 ms, but it is the trace's length; add"),
      ("1\n5\n4\n", "line 3: 4 ms comes after 5 ms; sort the lines"),
      ("1\nx2\n", "line 2: “x2” is not a whole number of milliseconds; write"),
      ("1\n\n2\n", "line 2: “” is not a whole number"), ("1\n-3\n", "line 2: “-3” is not a whole number"),
      ("1\n2.5\n", "line 2: “2.5” is not a whole number"), ("\r\n", "line 1: “\r” is not a whole number"),
      ("1\n99999999999999999999999\n", "line 2: 9999999999 ms is beyond 1000000000 ms; times are"),
    ])
  func errors(text: String, beginning: String) {
    let error = #expect(throws: MahimahiTraceError.self) { try MahimahiTrace.opportunities(in: Array(text.utf8)) }
    #expect(error?.description.hasPrefix(beginning) == true, "\(error?.description ?? "none")")
  }

  @Test("Limits hold")
  func limits() {
    let many = Array(String(repeating: "1\n", count: MahimahiTrace.mostOpportunities + 1).utf8)
    #expect(throws: MahimahiTraceError(line: MahimahiTrace.mostOpportunities + 1, .tooManyOpportunities)) {
      try MahimahiTrace.opportunities(in: many)
    }
    let large = [UInt8](repeating: 0x31, count: MahimahiTrace.mostBytes + 1)
    #expect(throws: MahimahiTraceError(.tooManyBytes(large.count))) { try MahimahiTrace.opportunities(in: large) }
  }

  @Test("Random bytes never trap")
  func randomBytes() {
    var generator = LinkGenerator(seed: 31)
    for _ in 0..<10_000 {
      let bytes = (0..<generator.below(30)).map { _ in
        UInt8(generator.chance(0.7) ? 48 + generator.below(10) : generator.below(256))
      }
      if let times = try? MahimahiTrace.opportunities(in: bytes) { #expect(!times.isEmpty && times == times.sorted()) }
    }
  }

  @Test("A drive has its shape: good and bad seconds, no gap above 1.5 s, the same for the same seed")
  func drive() throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      let trace = SyntheticTrace.lteDrive(seed: seed)
      #expect(trace.last == 300_000 && trace == trace.sorted())
      let gaps = zip([0] + trace, trace).map { $1 - $0 }
      let longest = try #require(gaps.max())
      #expect(longest <= SyntheticTrace.longestOutageMilliseconds && longest > 400, "seed \(seed): \(longest) ms")
      let megabits = Double(trace.count) * 0.012 / 300
      #expect(megabits > 3.5 && megabits < 8.5, "seed \(seed): \(megabits) Mbit/s")
      var perSecond = [Int](repeating: 0, count: 301)
      for time in trace { perSecond[time / 1000] += 1 }
      #expect(perSecond.contains { $0 > 900 } && perSecond.dropLast().contains { $0 < 100 })
      #expect(try MahimahiTrace.opportunities(in: Array(MahimahiTrace.text(trace).utf8)) == trace)
    }
    #expect(SyntheticTrace.lteDrive(seed: 1) == SyntheticTrace.lteDrive(seed: 1))
    #expect(SyntheticTrace.lteDrive(seed: 1) != SyntheticTrace.lteDrive(seed: 2))
  }

  @Test("A drive's parameters are held within their ranges")
  func driveLimits() {
    #expect(SyntheticTrace.lteDrive(seed: 1, durationMilliseconds: .min, peakBitsPerSecond: .nan).last == 1000)
    #expect(SyntheticTrace.lteDrive(seed: 1, durationMilliseconds: 2000, peakBitsPerSecond: .infinity).last == 2000)
  }
}
