import TestSupport
import Testing
import TransportPolicy

@Suite("Alt-Svc (RFC 7838 § 3)")
struct AltSvcTests {
  private typealias Offer = AltSvc.Offer

  private static func offer(
    _ host: String?, _ port: UInt16, age: Int = 86_400, persists: Bool = false
  ) -> AltSvc.Offer {
    Offer(service: AlternativeService(host: host, port: port), maximumAge: age, persists: persists)
  }

  private static let readable: [(String, [AltSvc.Offer])] = [
    (#"h3=":443""#, [offer(nil, 443)]),
    (#"h3=":443"; ma=3600"#, [offer(nil, 443, age: 3_600)]),
    (#"h3=":443";ma=3600;persist=1"#, [offer(nil, 443, age: 3_600, persists: true)]),
    (#"h3=":443"; persist=2"#, [offer(nil, 443)]),
    (#"h3=":443"; ma=0"#, [offer(nil, 443, age: 0)]),
    (#"h3=":443"; ma="60""#, [offer(nil, 443, age: 60)]),
    (#"h3=":443"; ma=99999999999999999999999"#, [offer(nil, 443, age: 1 << 31)]),
    (#"h3="alt.example:8443""#, [offer("alt.example", 8_443)]),
    (#"h3="ALT.Example:8443""#, [offer("alt.example", 8_443)]),
    (#"h3="[2001:db8::1]:443""#, [offer("2001:db8::1", 443)]),
    (#"h2=":443", h3=":8443", h3-29=":443""#, [offer(nil, 8_443)]),
    (#"h3=":1" , ,h3=":2";;ma=5"#, [offer(nil, 1), offer(nil, 2, age: 5)]),
    (#"h3=":443"; v="46,43"; quic="a;b", h3=":2""#, [offer(nil, 443), offer(nil, 2)]),
    (#"w%3Dx%3Ay#z=":443", h3=":1""#, [offer(nil, 1)]),
    ("  h3=\":443\"\t;\tma=1  ", [offer(nil, 443, age: 1)]),
    (#"h3="\:443""#, [offer(nil, 443)]),
    (#"clearly=":1", h3=":2""#, [offer(nil, 2)]),
  ]

  @Test(arguments: readable)
  private func whatCanBeReadIs(value: String, offers: [AltSvc.Offer]) {
    #expect(AltSvc(value) == .offers(offers), "\(value)")
  }

  @Test(arguments: ["clear", " clear ", "clear\t"])
  func clearTakesAllBack(value: String) {
    #expect(AltSvc(value) == .clear)
  }

  /// Each is followed by a good member, which counts where the bad one ends before it.
  @Test(arguments: [
    "", ",", "h3", "h3=", "h3=:443", #"h3="443""#, #"h3=":""#, #"h3=":0""#, #"h3=":65536""#, #"h3=":+1""#,
    #"h3=":123456""#, #"h3="a b:1""#, #"h3="user@host:1""#, #"h3="/:1""#, #"h3="[]:1""#, #"h3="[::1:1""#,
    #"h3="::1:1""#,
    #"h3="-:1""#, #"h3=":443"; ma"#, #"h3=":443"; ma="#, #"h3=":443"; ma=-1"#, #"h3=":443"; ma=1.5"#,
    #"h3=":443" ma=1"#, #"h3=":443"x"#, #"h3 =":443""#, #"H3=":443""#, "clear", "clear;x=1", "=", ";", "\u{0}", "é",
  ])
  func aMalformedMemberIsPassedOver(value: String) {
    #expect(AltSvc("\(value), h3=\":7\"") == .offers([Self.offer(nil, 7)]), "\(value)")
  }

  @Test func aQuoteThatNeverEndsEndsTheList() {
    #expect(AltSvc(#"h3=":1", h3=":2, h3=":3""#) == .offers([Self.offer(nil, 1)]))
  }

  @Test func noMoreThanEightAreTakenAndNoLongField() {
    let many = (1...20).map { "h3=\":\($0)\"" }.joined(separator: ",")
    guard case .offers(let offers) = AltSvc(many) else {
      Issue.record("not read")
      return
    }
    #expect(offers == (1...8).map { Self.offer(nil, $0) })
    #expect(AltSvc(String(repeating: " ", count: 5_000) + many) == .offers([]))
  }

  /// Whatever stands at each place of a good value, reading ends, and what is read is within its limits.
  @Test(arguments: 0..<256)
  func anyByteAnywhereIsSurvived(byte: Int) {
    let good = Array(#"h3="alt.example:8443"; ma=3600; persist=1, h3=":443""#.utf8)
    for place in good.indices {
      for isInserted in [false, true] {
        var bytes = good
        if isInserted { bytes.insert(UInt8(byte), at: place) } else { bytes[place] = UInt8(byte) }
        guard case .offers(let offers) = AltSvc(String(decoding: bytes, as: UTF8.self)) else {
          Issue.record("'clear' was read in \(bytes)")
          continue
        }
        #expect(offers.count <= 2 && offers.allSatisfy { $0.service.port > 0 }, "\(bytes)")
      }
      #expect(AltSvc(String(decoding: good[..<place], as: UTF8.self)) != .clear)
    }
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func randomTextIsSurvived(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array(#"h3=":443"; ma=1,persist\[]clear "#.utf8)
    let bytes = (0..<Int.random(in: 0...80, using: &generator)).compactMap { _ in
      alphabet.randomElement(using: &generator)
    }
    if case .offers(let offers) = AltSvc(String(decoding: bytes, as: UTF8.self)) {
      #expect(offers.allSatisfy { $0.maximumAge >= 0 && $0.service.port > 0 }, "seed \(seed)")
    }
  }

  @Test(arguments: [
    (AlternativeService(host: nil, port: 443), "origin.example:443"),
    (AlternativeService(host: "alt.example", port: 8_443), "alt.example:8443"),
    (AlternativeService(host: "2001:db8::1", port: 1), "[2001:db8::1]:1"),
  ])
  func anAlternativeIsNamedForTheServer(service: AlternativeService, authority: String) {
    #expect(service.authority(for: "origin.example") == authority)
  }
}
