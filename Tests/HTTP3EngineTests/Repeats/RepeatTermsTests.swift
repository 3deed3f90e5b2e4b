import Testing

@testable import HTTP3Engine

@Suite struct RepeatTermsTests {
  @Test(
    arguments: [
      ("?1", nil), ("?1;hedge=5", 5), (" ?1 ; hedge=5 ", 5), ("?1;x;y=\"z\"", nil), ("?1;hedge=7;hedge=9", 9),
      ("?1;hedge=0", nil), ("?1;hedge=1001", nil), ("?1;hedge=-5", nil), ("?1;hedge=5.0", nil), ("?1;hedge=", nil),
      ("?1;hedge=99999999999999999999", nil), ("?1;", nil),
    ] as [(String, Int?)])
  func wishesAreRead(_ value: String, _ hedge: Int?) {
    #expect(RepeatTerms(fieldValue: value)?.hedge == hedge.map { .milliseconds($0) })
    #expect(RepeatTerms(fieldValue: value) != nil)
  }

  @Test(arguments: ["", "?0", "1", "true", "?1 x", "?1, ?1", ";", ";hedge=5", "?", "\u{0}"])
  func otherValuesAreNone(_ value: String) { #expect(RepeatTerms(fieldValue: value) == nil) }

  @Test(arguments: [nil, .milliseconds(1), .milliseconds(1_000)] as [Duration?])
  func whatIsWrittenIsRead(_ hedge: Duration?) {
    #expect(RepeatTerms(fieldValue: RepeatTerms(hedge: hedge).fieldValue)?.hedge == hedge)
  }

  @Test func delaysStayWithinTheRange() {
    #expect(RepeatTerms(hedge: .microseconds(10)).hedge == .milliseconds(1))
    #expect(RepeatTerms(hedge: .seconds(-1)).hedge == .milliseconds(1))
    #expect(RepeatTerms(hedge: .seconds(1_000_000)).hedge == .seconds(1))
  }

  @Test func theFieldIsTakenOut() {
    var fields = [HeaderField(":status", "200"), HeaderField("content-repeats", "?1"), HeaderField("x", "y")]
    #expect(RepeatTerms.take(from: &fields) == RepeatTerms())
    #expect(fields.map(\.name) == [":status", "x"])
    #expect(RepeatTerms.take(from: &fields) == nil)
    fields += [HeaderField("content-repeats", "?1"), HeaderField("content-repeats", "?1")]
    #expect(RepeatTerms.take(from: &fields) == nil)
    #expect(fields.map(\.name) == [":status", "x"])
  }

  @Test func theIdentifierIsNoReservedOne() {
    // RFC 9114 § 7.2.4.1
    #expect(RepeatTerms.setting > 0x40 && (RepeatTerms.setting - 0x21) % 0x1f != 0)
  }

  @Test func eventStreamsAskAndConfirm() {
    let events = RepeatConfiguration(hedge: .milliseconds(5))
    let get = [HeaderField(":method", "GET"), HeaderField("accept", "text/event-stream")]
    #expect(events.terms(for: get)?.hedge == .milliseconds(5))
    #expect(events.terms(for: [get[0]]) == nil)
    #expect(events.terms(for: [HeaderField(":method", "HEAD"), get[1]]) == nil)
    let all = RepeatConfiguration(responses: .all, allowsHedging: false)
    #expect(all.terms(for: [get[0]]) == RepeatTerms())
    let ok = [HeaderField(":status", "200"), HeaderField("content-type", "text/event-stream; charset=utf-8")]
    let wish = RepeatTerms(hedge: .milliseconds(5))
    #expect(events.confirmation(of: wish, in: ok) == wish)
    #expect(events.confirmation(of: wish, in: [ok[0]]) == nil)
    #expect(all.confirmation(of: wish, in: [ok[0]]) == RepeatTerms())
    for status in ["204", "304"] { #expect(all.confirmation(of: wish, in: [HeaderField(":status", status)]) == nil) }
  }
}

@Suite struct RepeatDemandTests {
  private let start = Timestamp(nanoseconds: 1_000_000_000)

  @Test func lossesTurnItOnAndAQuietTimeOff() {
    var demand = RepeatDemand(isAdaptive: true)
    demand.didSend(at: start)
    #expect(!demand.isOn)
    demand.didLose(at: start)
    #expect(demand.isOn)
    // Many packets in a short time, or few in a long one.
    for _ in 0..<1_000 { demand.didSend(at: start + .seconds(10)) }
    #expect(demand.isOn)
    demand.didLose(at: start + .seconds(20))
    for _ in 0..<RepeatDemand.quietPackets { demand.didSend(at: start + .seconds(1_000)) }
    #expect(demand.isOn)
    demand.didSend(at: start + .seconds(1_000))
    #expect(!demand.isOn)
  }

  @Test func itMayBeOnAlways() {
    var demand = RepeatDemand(isAdaptive: false)
    for _ in 0..<1_000 { demand.didSend(at: start + .seconds(1_000)) }
    #expect(demand.isOn)
  }
}
