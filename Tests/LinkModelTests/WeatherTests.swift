import Testing

@testable import LinkModel

@Suite struct WeatherTests {
  static let loss = Loss.weather(
    goodMeanMilliseconds: 400, goodRate: 0, badMeanMilliseconds: 100, badRate: 1, badExtraDelayMilliseconds: nil)

  /// Whether each millisecond is bad, seen by streams that send at some of them.
  static func seen(everyMilliseconds every: Int, milliseconds: Int, seed: LinkSeed = LinkRun.seed) throws -> [Int: Bool]
  {
    var run = try LinkRun(seed: seed) { $0.loss = loss }
    var seen: [Int: Bool] = [:]
    for time in stride(from: 0, to: milliseconds, by: every) {
      let entry = run.send(LinkRun.packet(bytes: 60 + every), atMilliseconds: Double(time)).first
      seen[time] = entry?.cause == .weather
    }
    return seen
  }

  @Test("Two streams of packets meet the same weather")
  func pairing() throws {
    let dense = try Self.seen(everyMilliseconds: 1, milliseconds: 60_000)
    let sparse = try Self.seen(everyMilliseconds: 7, milliseconds: 60_000)
    #expect(sparse.allSatisfy { dense[$0.key] == $0.value })
    #expect(sparse.values.contains(true) && sparse.values.contains(false))
    let other = try Self.seen(
      everyMilliseconds: 7, milliseconds: 60_000, seed: LinkSeed(scenario: 0x5EED, repetition: 8))
    #expect(other != sparse)
  }

  @Test("Both directions meet the same periods")
  func directions() throws {
    var run = try LinkRun { $0.loss = Self.loss }
    for time in 0..<20_000 {
      let up = run.send(LinkRun.packet(bytes: 100), .toServer, atMilliseconds: Double(time)).first
      let down = run.send(LinkRun.packet(bytes: 900), .toClient, atMilliseconds: Double(time)).first
      #expect(up?.cause == down?.cause)
    }
  }

  @Test("Periods have the means asked for")
  func means() {
    var weather = WeatherProcess(goodMeanMilliseconds: 400, badMeanMilliseconds: 100, seed: LinkRun.seed)
    var badTime: Int64 = 0
    var last: Int64 = 0
    var changes = 0
    while changes < 20_000 {
      if weather.isBad { badTime += weather.changesAt - last }
      last = weather.changesAt
      weather.advance(to: last)
      changes += 1
    }
    // 10 000 periods each: the mean's standard error is 1 %.
    #expect(abs(Double(last) / 1e6 / 20_000 - 250) < 7.5)
    #expect(abs(Double(badTime) / Double(last) - 0.2) < 0.006)
  }

  @Test("Loss has the rate of its state, and the delay is longer while it is bad")
  func ratesAndDelay() throws {
    var run = try LinkRun {
      $0.oneWayDelayMilliseconds = 20
      $0.loss = .weather(
        goodMeanMilliseconds: 400, goodRate: 0.01, badMeanMilliseconds: 100, badRate: 0.3, badExtraDelayMilliseconds: 40
      )
      $0.jitterReorders = true
    }
    run.send(100_000, everyMilliseconds: 1, bytes: 100)
    var weather = WeatherProcess(goodMeanMilliseconds: 400, badMeanMilliseconds: 100, seed: LinkRun.seed)
    var lost = [false: 0, true: 0]
    var all = [false: 0, true: 0]
    for entry in run.entries {
      weather.advance(to: entry.entered)
      all[weather.isBad, default: 0] += 1
      if entry.cause == .weather { lost[weather.isBad, default: 0] += 1 }
      guard let due = entry.due else { continue }
      #expect(due - entry.entered == (weather.isBad ? 60 : 20) * LinkRun.millisecond)
    }
    for (isBad, rate) in [(false, 0.01), (true, 0.3)] {
      let count = all[isBad] ?? 0
      let realised = Double(lost[isBad] ?? 0) / Double(count)
      #expect(count > 1000 && abs(realised - rate) < LossTests.halfWidth(rate, count), "\(realised) for \(rate)")
    }
  }

  @Test("A link idle for the age of the clock continues")
  func farFuture() throws {
    var run = try LinkRun(PacketHeadersTests.everyStage)
    run.send(LinkRun.packet(bytes: 100), atMilliseconds: 0)
    for now in [Int64.max, .min, 0] { #expect(!run.link.send(LinkRun.packet(bytes: 100), .toServer, at: now).isEmpty) }
    #expect(run.link.deliver(at: .max) != nil)
  }
}
