import Testing

@testable import CodexCompanion

@Suite struct PairingDeskTests {
  private var desk = PairingDesk(limits: PairingLimits())

  private mutating func confirm(
    _ id: String, _ nonce: String, name: String = "phone", at now: Duration, until end: Duration? = nil
  ) throws(PairingError) -> PairingQuestion {
    try desk.confirm(
      id: id, nonce: nonce, deviceName: name, address: "192.0.2.7", end: end ?? now + .seconds(18), now: now)
  }

  private func code<Value>(_ body: () throws -> Value) throws -> PairingError.Code {
    try #require(throws: PairingError.self) { _ = try body() }.code
  }

  @Test mutating func asksAPersonWhatIsShownSafely() throws {
    try desk.open(id: "a", nonce: "n", by: .host, now: .zero)
    let question = try desk.confirm(
      id: "a", nonce: "n", deviceName: "x\u{1B}[2J\u{202E}" + String(repeating: "y", count: 10_000),
      address: "::1\r\nyes", end: .seconds(18), now: .seconds(1))
    #expect(question.deviceName.hasPrefix("x\\u001b[2J\\u202eyyy"))
    #expect(question.deviceName.count == Device.maximumName)
    #expect(question.address == "::1\\r\\nyes")
    #expect(question.isOpenedHere)
    #expect(try desk.decide(id: "a", now: .seconds(2)) == question)
    #expect(desk.count == 0)
  }

  @Test mutating func isConfirmedOnce() throws {
    try desk.open(id: "a", nonce: "n", by: .remote(address: "::1"), now: .zero)
    #expect(try !confirm("a", "n", at: .seconds(1)).isOpenedHere)
    let other = PairingError.Code.invalid
    do {
      _ = try confirm("a", "n", at: .seconds(2))
      Issue.record("confirmed twice")
    } catch {
      #expect(error.code == other)
    }
    _ = try desk.decide(id: "a", now: .seconds(3))
    #expect(try #require(throws: PairingError.self) { try desk.decide(id: "a", now: .seconds(3)) }.code == .noQuestion)
  }

  @Test mutating func aWrongNonceDoesNotUseItUpButSomeDo() throws {
    for wrong in 0..<6 {
      let id = "p\(wrong)"
      try desk.open(id: id, nonce: "right", by: .host, now: .zero)
      for attempt in 0..<wrong {
        do {
          _ = try confirm(id, "wrong\(attempt)", at: .seconds(1))
          Issue.record("a wrong nonce was taken")
        } catch {
          #expect(error.code == .invalid)
        }
      }
      let isTaken = (try? confirm(id, "right", at: .seconds(2))) != nil
      #expect(isTaken == (wrong < PairingLimits().attempts))
      desk.withdraw(id: id)
    }
  }

  @Test(arguments: [(179, true), (180, false), (10_000, false)])
  func expires(second: Int, isTaken: Bool) throws {
    var desk = PairingDesk(limits: PairingLimits())
    try desk.open(id: "a", nonce: "n", by: .host, now: .seconds(0))
    let question = try? desk.confirm(
      id: "a", nonce: "n", deviceName: "", address: "", end: .seconds(second + 18), now: .seconds(second))
    #expect((question != nil) == isTaken)
  }

  @Test mutating func anAnswerAfterTheDeviceGaveUpHasNoEffect() throws {
    try desk.open(id: "a", nonce: "n", by: .host, now: .zero)
    _ = try confirm("a", "n", at: .seconds(1), until: .seconds(19))
    #expect(try #require(throws: PairingError.self) { try desk.decide(id: "a", now: .seconds(19)) }.code == .noQuestion)
    try desk.open(id: "b", nonce: "n", by: .host, now: .seconds(20))
    _ = try confirm("b", "n", at: .seconds(20))
    desk.withdraw(id: "b")
    #expect(
      try #require(throws: PairingError.self) { try desk.decide(id: "b", now: .seconds(21)) }.code == .noQuestion)
  }

  /// From one address, then from ever new ones: neither grows memory, nor keeps the person from pairing, nor lasts.
  @Test(arguments: [false, true])
  func floodOfRequests(fromManyAddresses: Bool) throws {
    var desk = PairingDesk(limits: PairingLimits())
    var opened = 0
    for number in 0..<10_000 {
      let address = fromManyAddresses ? "10.\(number / 65_536).\(number / 256 % 256).\(number % 256)" : "192.0.2.1"
      let now = Duration.milliseconds(number * 20)
      if (try? desk.open(id: "r\(number)", nonce: "n", by: .remote(address: address), now: now)) != nil { opened += 1 }
      #expect(desk.count <= 12)
      #expect(desk.addressCount <= 64)
      if number.isMultiple(of: 1_000) {
        try desk.open(id: "h\(number)", nonce: "n", by: .host, now: now)
        _ = try desk.confirm(
          id: "h\(number)", nonce: "n", deviceName: "mine", address: "192.0.2.9", end: now + .seconds(18), now: now)
        _ = try desk.decide(id: "h\(number)", now: now)
      }
    }
    // 200 s: three at once and one a minute, or as many as there are places, twice.
    #expect(opened == (fromManyAddresses ? 16 : 6))
    try desk.open(id: "later", nonce: "n", by: .remote(address: "192.0.2.1"), now: .seconds(600))
  }

  @Test func oneAddressDoesNotUseUpWhatOthersMaySend() throws {
    var desk = PairingDesk(limits: PairingLimits())
    for number in 0..<1_000 { try? desk.open(id: "r\(number)", nonce: "n", by: .remote(address: "a"), now: .zero) }
    try desk.open(id: "other", nonce: "n", by: .remote(address: "192.0.2.2"), now: .zero)
    let error = try #require(throws: PairingError.self) {
      try desk.open(id: "more", nonce: "n", by: .remote(address: "a"), now: .seconds(1))
    }
    #expect(error.code == .busy(retryAfter: 60))
  }

  @Test func remoteQuestionsAreFewAndDoNotUseUpThePairing() throws {
    var desk = PairingDesk(limits: PairingLimits())
    let ask = { (desk: inout PairingDesk, id: String, now: Duration) in
      try desk.confirm(id: id, nonce: "n", deviceName: "", address: "", end: now + .seconds(18), now: now)
    }
    for id in ["a", "b", "c"] { try desk.open(id: id, nonce: "n", by: .remote(address: id), now: .zero) }
    _ = try ask(&desk, "a", .seconds(1))
    _ = try ask(&desk, "b", .seconds(2))
    let error = try #require(throws: PairingError.self) { _ = try ask(&desk, "c", .seconds(3)) }
    #expect(error.code == .busy(retryAfter: 17))
    try desk.open(id: "h", nonce: "n", by: .host, now: .seconds(3))
    _ = try ask(&desk, "h", .seconds(3))
    _ = try ask(&desk, "c", .seconds(19))
  }

  @Test func thePersonsOldestPairingGivesWay() throws {
    var desk = PairingDesk(limits: PairingLimits())
    for id in 0..<5 { try desk.open(id: "\(id)", nonce: "n", by: .host, now: .zero) }
    let ask = { (desk: inout PairingDesk, id: Int) in
      try desk.confirm(id: "\(id)", nonce: "n", deviceName: "", address: "", end: .seconds(9), now: .zero)
    }
    #expect(try #require(throws: PairingError.self) { _ = try ask(&desk, 0) }.code == .invalid)
    for id in 1...4 { _ = try ask(&desk, id) }
    let error = try #require(throws: PairingError.self) { try desk.open(id: "5", nonce: "n", by: .host, now: .zero) }
    #expect(error.code == .busy(retryAfter: 11))
  }
}
