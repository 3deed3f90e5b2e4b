import Testing
import TransportPolicy

@Suite("Origin memory")
struct OriginMemoryTests {
  private static let origin = "https://agent.example"
  private static let home = "1a2b"
  private static let cafe = "3c4d"
  private static let standard = Duration.milliseconds(250)
  /// 2026-01-01.
  private static let start = 1_767_225_600

  private func plan(
    _ memory: OriginMemory, at now: Int, origin: String = origin, network: String = home
  ) -> RacePlan {
    memory.plan(for: origin, on: network, headStart: Self.standard, now: now)
  }

  // MARK: Head start

  @Test func anUnknownOriginHasTheStandardHeadStart() {
    #expect(plan(OriginMemory(), at: Self.start) == .headStart(Self.standard))
  }

  /// RFC 6298 by hand: s = (7 s + r) / 8, v = (3 v + |s − r|) / 4, in microseconds; head start s + 2 v.
  @Test(arguments: [
    ([10], 100_000),
    ([60], 120_000),
    ([120], 240_000),
    ([200], 400_000),
    ([5_000], 400_000),
    ([100, 100], 175_000),
    ([100, 100, 100, 100], 142_186),
    ([80, 120], 165_000),
    ([0, 0], 100_000),
  ])
  func theHeadStartIsLearntFromConnectTimes(milliseconds: [Int], headStart: Int) {
    var memory = OriginMemory()
    for time in milliseconds {
      memory.http3Connected(to: Self.origin, on: Self.home, after: .milliseconds(time), now: Self.start)
    }
    #expect(plan(memory, at: Self.start) == .headStart(.microseconds(headStart)))
    #expect(plan(memory, at: Self.start, network: Self.cafe) == .headStart(Self.standard), "another network")
    #expect(plan(memory, at: Self.start, origin: "https://b.example") == .headStart(Self.standard), "another origin")
  }

  // MARK: Broken UDP

  /// The spans for which each of these in a row marks UDP as broken: a failure as soon as the last mark is over, or a
  /// success then.
  @Test func theMarkDoublesToTwoDaysAndIsHalvedBySuccess() {
    var memory = OriginMemory()
    var now = Self.start
    func fail(_ span: Int) {
      memory.udpFailed(to: Self.origin, on: Self.home, now: now)
      #expect(isHeldBack(memory, at: now) && isHeldBack(memory, at: now + span - 1), "\(span) s from \(now)")
      #expect(!isHeldBack(memory, at: now + span), "\(span) s from \(now)")
      now += span
    }
    for span in [300, 600, 1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 76_800, 153_600, 172_800, 172_800] { fail(span) }
    memory.http3Connected(to: Self.origin, on: Self.home, after: .milliseconds(50), now: now)
    #expect(!isHeldBack(memory, at: now))
    fail(86_400)
    for _ in 0..<12 { memory.http3Connected(to: Self.origin, on: Self.home, after: .milliseconds(50), now: now) }
    fail(300)
  }

  @Test func aSuccessEndsTheMark() {
    var memory = OriginMemory()
    memory.udpFailed(to: Self.origin, on: Self.home, now: Self.start)
    memory.http3Connected(to: Self.origin, on: Self.home, after: .milliseconds(60), now: Self.start + 1)
    #expect(plan(memory, at: Self.start + 1) == .headStart(.milliseconds(120)))
  }

  @Test func moreFailuresWhileTheMarkHoldsSayNothingNew() {
    var memory = OriginMemory()
    for second in 0..<300 { memory.udpFailed(to: Self.origin, on: Self.home, now: Self.start + second) }
    #expect(isHeldBack(memory, at: Self.start + 299))
    #expect(!isHeldBack(memory, at: Self.start + 300))
  }

  @Test func anotherNetworkKnowsNothingOfTheMark() {
    var memory = OriginMemory()
    memory.udpFailed(to: Self.origin, on: Self.cafe, now: Self.start)
    #expect(plan(memory, at: Self.start, network: Self.home) == .headStart(Self.standard))
    #expect(isHeldBack(memory, at: Self.start, network: Self.cafe))
  }

  @Test func aClockThatWasSetBackDoesNotKeepTheMark() {
    var memory = OriginMemory()
    memory.udpFailed(to: Self.origin, on: Self.home, now: Self.start + 10 * 365 * 86_400)
    #expect(!isHeldBack(memory, at: Self.start))
    memory.udpFailed(to: Self.origin, on: Self.home, now: Self.start)
    #expect(isHeldBack(memory, at: Self.start))
  }

  @Test(arguments: [
    (0, "UDP failed on this network 0 s ago, the next try is in 5 min."),
    (89, "UDP failed on this network 89 s ago, the next try is in 4 min."),
    (240, "UDP failed on this network 4 min ago, the next try is in 60 s."),
  ])
  func theReasonTellsWhenAndHowLong(seconds: Int, reason: String) {
    var memory = OriginMemory()
    memory.udpFailed(to: Self.origin, on: Self.home, now: Self.start)
    #expect(plan(memory, at: Self.start + seconds) == .firstHeldBack(reason: reason))
  }

  @Test func longSpansAreReportedInHours() {
    var memory = OriginMemory()
    var now = Self.start
    for span in [300, 600, 1_200, 2_400, 4_800, 9_600] {
      memory.udpFailed(to: Self.origin, on: Self.home, now: now)
      now += span
    }
    memory.udpFailed(to: Self.origin, on: Self.home, now: now)
    #expect(
      plan(memory, at: now + 7_200)
        == .firstHeldBack(reason: "UDP failed on this network 2 h ago, the next try is in 3 h."))
  }

  // MARK: Alternatives

  private func heard(_ fields: String..., network: String = home) -> OriginMemory {
    var memory = OriginMemory()
    for field in fields { memory.learn(AltSvc(field), from: Self.origin, on: network, now: Self.start) }
    return memory
  }

  private func alternative(_ memory: OriginMemory, at seconds: Int = 0, network: String = home) -> String? {
    memory.alternative(for: Self.origin, on: network, now: Self.start + seconds)?.authority(for: "agent.example")
  }

  @Test func theFirstOfferHoldsAsLongAsItSays() {
    let memory = heard(#"h3=":8443"; ma=60, h3="b.example:2"; ma=100"#)
    #expect(alternative(memory) == "agent.example:8443")
    #expect(alternative(memory, at: 59) == "agent.example:8443")
    #expect(alternative(memory, at: 60) == "b.example:2")
    #expect(alternative(memory, at: 100) == nil)
    #expect(memory.alternative(for: "https://b.example", on: Self.home, now: Self.start) == nil)
  }

  @Test func aDayWhereNothingIsSaidAndThirtyAtMost() {
    #expect(alternative(heard(#"h3=":1""#), at: 86_399) != nil)
    #expect(alternative(heard(#"h3=":1""#), at: 86_400) == nil)
    #expect(alternative(heard(#"h3=":1"; ma=31536000"#), at: 30 * 86_400 - 1) != nil)
    #expect(alternative(heard(#"h3=":1"; ma=31536000"#), at: 30 * 86_400) == nil)
  }

  @Test func anOfferHoldsOnItsNetworkUnlessItPersists() {
    #expect(alternative(heard(#"h3=":1""#), network: Self.cafe) == nil)
    #expect(alternative(heard(#"h3=":1"; persist=1"#), network: Self.cafe) == "agent.example:1")
    #expect(alternative(heard(#"h3=":1", h3=":2"; persist=1"#), network: Self.cafe) == "agent.example:2")
  }

  @Test func aBrokenAlternativeIsPassedOver() {
    var memory = heard(#"h3="b.example:2", h3=":8443""#)
    func fail(_ host: String?, _ port: UInt16?, at seconds: Int) {
      let service = port.map { AlternativeService(host: host, port: $0) }
      memory.udpFailed(to: Self.origin, at: service, on: Self.home, now: Self.start + seconds)
    }
    fail("b.example", 2, at: 0)
    #expect(alternative(memory) == "agent.example:8443")
    #expect(alternative(memory, at: 300) == "b.example:2")
    fail(nil, 8_443, at: 10)
    #expect(alternative(memory, at: 10) == nil, "the origin itself")
    #expect(!isHeldBack(memory, at: Self.start + 10))
    fail(nil, nil, at: 20)
    #expect(isHeldBack(memory, at: Self.start + 20))
    #expect(alternative(memory, at: 20) == "b.example:2", "the mark that ends first")
    let service = AlternativeService(host: "b.example", port: 2)
    #expect(memory.brokenTime(of: Self.origin, at: service, on: Self.home, now: Self.start + 20) == .seconds(280))
    memory.http3Connected(
      to: Self.origin, at: service, on: Self.home, after: .milliseconds(60), now: Self.start + 30)
    let plan = memory.plan(
      for: Self.origin, at: service, on: Self.home, headStart: Self.standard, now: Self.start + 30)
    #expect(plan == .headStart(.milliseconds(120)))
    #expect(isHeldBack(memory, at: Self.start + 30), "the origin's own mark stays")
    #expect(OriginMemory(text: memory.text.utf8, now: Self.start + 30) == memory)
  }

  @Test func theLongestAlternativeIsRememberedToo() {
    var memory = OriginMemory()
    let origin = "https://" + String(repeating: "a", count: 286) + ":65535"
    let service = AlternativeService(host: String(repeating: "b", count: 255), port: 65_535)
    memory.udpFailed(to: origin, at: service, on: Self.home, now: Self.start)
    #expect(memory.brokenTime(of: origin, at: service, on: Self.home, now: Self.start) == .seconds(300))
    #expect(OriginMemory(text: memory.text.utf8, now: Self.start) == memory)
  }

  @Test(
    arguments: [
      ("https://a.example", #"h3=":443""#, nil), ("https://a.example", #"h3="a.example:443""#, nil),
      ("https://a.example:8443", #"h3=":8443""#, nil), ("https://a.example:8443", #"h3=":443""#, 443),
      ("https://a.example", #"h3=":8443""#, 8_443), ("https://a.example", #"h3="b.example:443""#, 443),
      ("https://[::1]", #"h3=":443""#, nil), ("https://[::1]:8443", #"h3=":8443""#, nil),
      ("https://[::1]:8443", #"h3="[::1]:8443""#, nil), ("https://[::1]", #"h3=":1""#, 1),
    ] as [(String, String, UInt16?)])
  func whatIsTheOriginItselfIsNoAlternative(origin: String, field: String, port: UInt16?) {
    var memory = OriginMemory()
    memory.learn(AltSvc(field), from: origin, on: Self.home, now: Self.start)
    #expect(memory.alternative(for: origin, on: Self.home, now: Self.start)?.port == port)
  }

  @Test(arguments: ["clear", #"h2=":443""#, #"h3=":1"; ma=0"#])
  func whatIsSaidLaterTakesThePlace(field: String) {
    #expect(alternative(heard(#"h3=":1""#, field)) == nil)
    #expect(alternative(heard(#"h3=":1""#, field, #"h3=":2""#)) == "agent.example:2")
  }

  @Test func anOriginThatSaysMisdirectedIsBelieved() {
    var memory = heard(#"h3=":1"; persist=1"#)
    memory.forgetAlternatives(of: Self.origin)
    #expect(memory == OriginMemory())
  }

  /// Each field is heard 100 s after `h3=":1"; ma=3600`.
  @Test(arguments: [
    (#"h3=":1"; ma=3600"#, false), (#"h3=":1"; ma=7200"#, true), (#"h3=":1"; ma=60"#, true),
    (#"h3=":2"; ma=3600"#, true),
    (#"h3=":1"; ma=3600; persist=1"#, true), (#"h3=":1"; ma=3600, h3=":2""#, true), ("clear", true),
  ])
  func onlyNewsIsNews(field: String, isNews: Bool) {
    let memory = heard(#"h3=":1"; ma=3600"#)
    let now = Self.start + 100
    #expect(memory.isNews(AltSvc(field), from: Self.origin, on: Self.home, now: now) == isNews)
    #expect(memory.isNews(AltSvc(field), from: Self.origin, on: Self.cafe, now: now))
    #expect(OriginMemory().isNews(AltSvc(field), from: Self.origin, on: Self.home, now: now) == (field != "clear"))
  }

  @Test func anOfferIsHeardAgainWhenAnEighthOfItIsOver() {
    let memory = heard(#"h3=":1"; ma=8000"#)
    let field = AltSvc(#"h3=":1"; ma=8000"#)
    #expect(!memory.isNews(field, from: Self.origin, on: Self.home, now: Self.start + 1_000))
    #expect(memory.isNews(field, from: Self.origin, on: Self.home, now: Self.start + 1_001))
  }

  // MARK: Limits

  @Test func theLeastRecentlyUsedIsForgottenFirst() {
    var memory = OriginMemory()
    for number in 0...OriginMemory.limit {
      memory.udpFailed(to: "https://\(number).example", on: Self.home, now: Self.start + number)
      memory.learn(AltSvc(#"h3=":1""#), from: "https://\(number).example", on: Self.home, now: Self.start + number)
    }
    func isKnown(_ number: Int) -> (path: Bool, offer: Bool) {
      let origin = "https://\(number).example"
      return (
        plan(memory, at: Self.start + 299, origin: origin) != .headStart(Self.standard),
        memory.alternative(for: origin, on: Self.home, now: Self.start + 299) != nil
      )
    }
    #expect(isKnown(0) == (false, false))
    #expect(isKnown(1) == (true, true))
    #expect(isKnown(OriginMemory.limit) == (true, true))
  }

  @Test(arguments: ["", "https://a b", "https://é.example", "a\nb", String(repeating: "a", count: 301)])
  func whatNoLineCanHoldIsNotKept(origin: String) {
    var memory = OriginMemory()
    memory.udpFailed(to: origin, on: Self.home, now: Self.start)
    memory.udpFailed(to: Self.origin, on: origin, now: Self.start)
    memory.learn(AltSvc(#"h3=":1""#), from: origin, on: Self.home, now: Self.start)
    memory.udpFailed(to: Self.origin, on: Self.home, now: -1)
    memory.udpFailed(to: Self.origin, on: Self.home, now: .max)
    #expect(memory == OriginMemory())
  }

  private func isHeldBack(_ memory: OriginMemory, at now: Int, network: String = home) -> Bool {
    if case .firstHeldBack = plan(memory, at: now, network: network) { true } else { false }
  }
}
