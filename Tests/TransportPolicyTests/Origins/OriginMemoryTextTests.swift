import TestSupport
import Testing
import TransportPolicy

@Suite("Origin memory as text")
struct OriginMemoryTextTests {
  private static let now = 1_767_225_600

  /// Something of everything.
  private static func memory() -> OriginMemory {
    var memory = OriginMemory()
    memory.http3Connected(to: "https://a.example", on: "net1", after: .milliseconds(80), now: now)
    memory.udpFailed(to: "https://a.example", on: "net2", now: now)
    memory.http3Connected(to: "https://b.example:8443", on: "net1", after: .milliseconds(20), now: now - 10)
    memory.udpFailed(to: "https://b.example:8443", on: "net1", now: now)
    memory.learn(
      AltSvc(#"h3="alt.example:444"; ma=3600; persist=1, h3=":445", h3="[2001:db8::1]:446""#),
      from: "https://a.example", on: "net1", now: now)
    memory.learn(AltSvc(#"h3=":8444""#), from: "https://b.example:8443", on: "net2", now: now)
    return memory
  }

  private static let text = """
    agent-stream-origins 1
    path https://a.example net1 1767225600 80000 40000 - - 300
    path https://a.example net2 1767225600 - - 1767225600 1767225900 600
    path https://b.example:8443 net1 1767225600 20000 10000 1767225600 1767225900 600
    alternative https://a.example net1 1767225600 1767229200 persist alt.example 444
    alternative https://a.example net1 1767225600 1767312000 - - 445
    alternative https://a.example net1 1767225600 1767312000 - 2001:db8::1 446
    alternative https://b.example:8443 net2 1767225600 1767312000 - - 8444

    """

  private func read(_ text: String, now: Int = now) -> OriginMemory {
    OriginMemory(text: text.utf8, now: now)
  }

  @Test func theTextIsAsDocumented() {
    #expect(Self.memory().text == Self.text)
    #expect(OriginMemory().text == "agent-stream-origins 1\n")
  }

  @Test func whatIsWrittenIsReadAgain() {
    #expect(read(Self.text) == Self.memory())
    #expect(read(OriginMemory().text) == OriginMemory())
  }

  @Test(arguments: [
    "", "\n", "agent-stream-origins 2", "agent-stream-origins 10", "Agent-stream-origins 1", "{}", "\u{0}",
  ])
  func anotherVersionIsNoText(header: String) {
    let lines = Self.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    #expect(read(([Substring(header)] + lines).joined(separator: "\n")) == OriginMemory())
  }

  /// Each line in place of the first path's: that one is lost, no other.
  @Test(arguments: [
    "", " ", "garbage", "path", "path https://a.example net1", "\u{0}\u{1}\u{FFFD}",
    "path https://a.example net1 1767225600 80000 40000 - - 300 more",
    "path  https://a.example net1 1767225600 80000 40000 - - 300",
    "path https://a.example net1 x 80000 40000 - - 300",
    "path https://a.example net1 -1 80000 40000 - - 300",
    "path https://a.example net1 99999999999999999999 80000 40000 - - 300",
    "path https://a.example net1 1767225600 80000 - - - 300",
    "path https://a.example net1 1767225600 99999999999 1 - - 300",
    "path https://a.example net1 1767225600 80000 40000 5 - 300",
    "path https://a.example net1 1767225600 80000 40000 5 4 300",
    "path https://a.example net1 1767225600 80000 40000 0 1767225600 300",
    "path https://a.example net1 1767225600 80000 40000 - - 299",
    "path https://a.example net1 1767225600 80000 40000 - - 999999",
    "path https://\u{e9}.example net1 1767225600 80000 40000 - - 300",
    "alternative https://c.example net1 1767225600 1767312000 - - 0",
    "alternative https://c.example net1 1767225600 1767312000 - - 65536",
    "alternative https://c.example net1 1767225600 1767312000 yes - 1",
    "alternative https://c.example net1 1767225600 1767312000 - a/b 1",
    "alternative https://c.example net1 1767225600 1767225600 - - 1",
    "alternative https://c.example net1 1767225600 9999999999 - - 1",
    "path " + String(repeating: "a", count: 2_000) + " net1 1767225600 80000 40000 - - 300",
  ])
  func aLineThatCannotBeReadLosesThatLineAlone(line: String) {
    var lines = Self.text.split(separator: "\n", omittingEmptySubsequences: false)
    let without = (lines[..<1] + lines[2...]).joined(separator: "\n")
    lines[1] = Substring(line)
    #expect(read(lines.joined(separator: "\n")) == read(without))
  }

  @Test func aTextThatWasCutOffLosesItsLastLineAlone() {
    let bytes = Array(Self.text.utf8)
    for length in bytes.indices {
      let whole = bytes[..<length].lastIndex(of: UInt8(ascii: "\n")).map { Array(bytes[...$0]) } ?? []
      #expect(
        OriginMemory(text: bytes[..<length], now: Self.now) == OriginMemory(text: whole, now: Self.now), "\(length)")
    }
  }

  /// A memory that is read can be written, and read again unchanged.
  @Test(arguments: 0..<400 as Range<UInt64>)
  func damagedTextIsSurvived(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var bytes = Array(Self.text.utf8)
    for _ in 0..<Int.random(in: 1...20, using: &generator) {
      let place = Int.random(in: 24..<bytes.count, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
      default: bytes.remove(at: place)
      }
    }
    let memory = OriginMemory(text: bytes, now: Self.now)
    #expect(read(memory.text) == memory, "seed \(seed)")
    for origin in ["https://a.example", "https://b.example:8443"] {
      _ = memory.plan(for: origin, on: "net1", headStart: .milliseconds(250), now: Self.now)
      _ = memory.alternative(for: origin, on: "net1", now: Self.now)
    }
  }

  @Test func whatIsOverIsForgottenOnReading() {
    #expect(
      read(Self.text, now: Self.now + 3_601).alternative(for: "https://a.example", on: "net1", now: Self.now)?.port
        == 445)
    #expect(read(Self.text, now: Self.now + 31 * 86_400) == OriginMemory())
    #expect(read(Self.text, now: Self.now - 31 * 86_400) == OriginMemory())
    #expect(read(Self.text, now: .min) == OriginMemory())
    #expect(read(Self.text, now: .max) == OriginMemory())
  }

  @Test func aTextWithTooManyLinesIsReadWithinTheLimit() {
    var lines = ["agent-stream-origins 1"]
    for number in 0..<2_000 {
      lines.append("path https://\(number).example net 1767225\(100 + number % 500) - - - - 300")
      lines.append("alternative https://\(number).example net 1767225600 1767312000 - - 1")
      lines.append("alternative https://0.example net 1767225600 1767312000 - - \(number + 1)")
    }
    let memory = read(lines.joined(separator: "\n") + "\n")
    let written = memory.text.split(separator: "\n")
    #expect(written.count { $0.hasPrefix("path ") } == OriginMemory.limit)
    #expect(
      Set(written.filter { $0.hasPrefix("alternative ") }.map { $0.split(separator: " ")[1] }).count
        == OriginMemory.limit)
    #expect(written.count { $0.hasPrefix("alternative https://0.example ") } <= 8)
  }
}
