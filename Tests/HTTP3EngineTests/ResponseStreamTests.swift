import HTTP3Engine
import TestSupport
import Testing

/// A client's own checks of a server's responses: the library lets some faults pass and names others otherwise.
@Suite struct ResponseStreamTests {
  private static let ok: [UInt8] = [0xd9]
  private static let body = Wire.http(0, Array("hello\n".utf8))
  private static let trailers = headers(Wire.line("x-end", "1"))

  private static func headers(_ lines: [UInt8]...) -> [UInt8] { Wire.http(1, [0, 0] + lines.joined()) }

  /// A client with a request that this server answers as it likes, and the streams of HTTP/3.
  private static func attack() throws -> (attack: RawAttack, streams: [StreamID], request: StreamID) {
    let attack = try RawAttack(on: QUICPair.make(server: { $0.connection.isRaw = true }), attacksServer: false)
    let streams = attack.beginHTTP()
    return (attack, streams, try #require(attack.request()))
  }

  /// Sends a whole response in pieces of `size` bytes, and answers what the client had.
  private static func answer(_ bytes: [UInt8], size: Int = .max) throws -> (RequestClient.Answer, HTTP3Error?) {
    let (attack, _, id) = try attack()
    var rest = bytes[...]
    repeat {
      attack.peer?.raw?.send(Array(rest.prefix(size)), on: id, isLast: rest.count <= size)
      rest = rest.dropFirst(size)
      try attack.pair.run(for: .milliseconds(50))
    } while !rest.isEmpty && attack.verdict == nil
    try attack.pair.run(for: .seconds(1))
    return (try #require(attack.client?.answers.first), attack.verdict)
  }

  // MARK: Fields

  private static let forbidden: [[UInt8]] = [
    Wire.line("", "x"), Wire.line("x y", "z"), Wire.line("x\r\ny", "z"), Wire.line("x:y", "z"),
    Wire.line("x-split", "a\r\nset-cookie: b=c"), Wire.line("x-nul", "a\0b"), Wire.line("x-return", "\r"),
  ]

  /// RFC 9114 § 10.3: the message is malformed, and the connection lasts.
  @Test(arguments: forbidden, [1, 7, Int.max])
  func aForbiddenFieldMakesTheMessageMalformed(_ line: [UInt8], _ size: Int) throws {
    for response in [Self.headers(Self.ok, line) + Self.body, Self.headers(Self.ok) + Self.body + Self.headers(line)] {
      let (answer, verdict) = try Self.answer(response, size: size)
      #expect(answer.error?.code == .application(.messageError))
      #expect(!answer.isComplete)
      #expect(verdict == nil)
    }
  }

  @Test(arguments: forbidden)
  func anInterimResponseIsCheckedToo(_ line: [UInt8]) throws {
    let (answer, _) = try Self.answer(Self.headers([0xd8], line) + Self.headers(Self.ok) + Self.body)
    #expect(answer.error?.code == .application(.messageError))
    #expect(answer.informational == 0)
  }

  /// A field that QPACK's dynamic table holds, named before it is there and after.
  @Test(arguments: [true, false], [true, false])
  func aFieldOfTheTableIsChecked(_ isForbidden: Bool, _ isBlocked: Bool) throws {
    let (attack, streams, id) = try Self.attack()
    let (name, value) = ("x-split", isForbidden ? "a\r\nb" : "a, b")
    let insertion =
      Wire.prefixed(0x20, bits: 5, 4_096) + Wire.prefixed(0x40, bits: 5, name.utf8.count) + Array(name.utf8)
      + Wire.prefixed(0, bits: 7, value.utf8.count) + Array(value.utf8)
    // Required Insert Count 1 is written as 2 (RFC 9204 § 4.5.1.1); the entry is the first before the base.
    let response = Wire.http(1, [2, 0] + Self.ok + [0x80]) + Self.body
    if isBlocked { attack.peer?.raw?.send(response, on: id, isLast: true) }
    for byte in insertion {
      try attack.pair.run(for: .milliseconds(30))
      attack.peer?.raw?.send([byte], on: streams[1])
    }
    if !isBlocked { attack.peer?.raw?.send(response, on: id, isLast: true) }
    try attack.pair.run(for: .seconds(1))
    let answer = try #require(attack.client?.answers.first)
    #expect(answer.error?.code == (isForbidden ? .application(.messageError) : nil))
    #expect(answer.isComplete == !isForbidden)
    #expect(attack.verdict == nil)
  }

  /// Sections that name what is not in the table wait for it, each with its bytes.
  @Test func sectionsThatWaitForTheTableAreLimited() throws {
    let (attack, _, id) = try Self.attack()
    let waiting = Wire.http(1, [2, 0] + Self.ok + [0x80])
    attack.peer?.raw?.send(Array(repeating: waiting, count: 100).flatMap(\.self), on: id, isLast: false)
    try attack.pair.run(for: .seconds(1))
    #expect(attack.verdict?.code == .application(.excessiveLoad))
  }

  /// Servers do send these: the library drops what it does not like of them, and the message is taken.
  @Test(arguments: [
    headers(ok, Wire.line("content-security-policy", "default-src 'self'; ")) + body,
    headers(ok, Wire.line("x-control", "a\u{1}b")) + body,
    headers(ok, Wire.line("x-empty", ""), Wire.line("x_y.z!#$%&'*+-^`|~0", "\t")) + body,
    headers(Wire.prefixed(0xc0, bits: 6, 64), Wire.line("content-length", "0")),
    headers([0xd8], Wire.line("content-length", "0")) + headers(ok) + body,
    headers(ok) + body + headers(Wire.line("content-length", "6")),
    headers(ok) + body + trailers,
  ])
  func whatServersSendIsTaken(_ response: [UInt8]) throws {
    let (answer, verdict) = try Self.answer(response)
    #expect(answer.error == nil)
    #expect(answer.isComplete)
    #expect(verdict == nil)
  }

  // MARK: Frames

  /// RFC 9114 § 4.1; also where the body is empty, so that only the library can tell which section is the trailers'.
  @Test(arguments: [true, false], [1, 3, Int.max])
  func aFrameBehindTheTrailersIsUnexpected(_ hasBody: Bool, _ size: Int) throws {
    let response = Self.headers(Self.ok) + (hasBody ? Self.body : []) + Self.trailers
    for frame in [Self.body, Self.trailers, Wire.http(0, []), Wire.http(1, [])] {
      let (_, verdict) = try Self.answer(response + frame, size: size)
      #expect(verdict?.code == .application(.frameUnexpected))
    }
  }

  /// Trailers may be empty, of which the library tells nothing.
  @Test(arguments: [true, false], [1, 3, Int.max])
  func aFrameBehindEmptyTrailersIsUnexpected(_ hasBody: Bool, _ size: Int) throws {
    let response = Self.headers(Self.ok) + (hasBody ? Self.body : []) + Wire.http(1, [])
    let (answer, fault) = try Self.answer(response, size: size)
    #expect(answer.isComplete && fault == nil)
    for frame in [Self.body, Self.trailers, Wire.http(0, []), Wire.http(1, [])] {
      let (_, verdict) = try Self.answer(response + frame, size: size)
      #expect(verdict?.code == .application(.frameUnexpected))
    }
  }

  /// No section may be empty but the trailers'.
  @Test(arguments: [1, Int.max])
  func anEmptyHeadIsAMessageError(_ size: Int) throws {
    for interim in [[], Self.headers(Wire.line(":status", "103"))] {
      let (_, verdict) = try Self.answer(interim + Wire.http(1, []) + Self.body, size: size)
      #expect(verdict?.code == .application(.messageError))
    }
  }

  /// A malformed message that has trailers stays one.
  @Test(arguments: [trailers, Wire.http(1, [])])
  func aLengthThatIsWrongIsAMessageErrorAlsoWithTrailers(_ trailers: [UInt8]) throws {
    let (_, verdict) = try Self.answer(
      Self.headers(Self.ok, Wire.line("content-length", "100")) + Self.body + trailers)
    #expect(verdict?.code == .application(.messageError))
  }

  @Test(arguments: [1, 2, Int.max])
  func aPromisedPushIsAnIDError(_ size: Int) throws {
    let promise = Wire.http(5, [0, 0, 0, 0xd1, 0xd7, 0xc1])
    for response in [promise, Self.headers(Self.ok) + Self.body + promise] {
      let (_, verdict) = try Self.answer(response, size: size)
      #expect(verdict?.code == .application(.idError))
    }
  }
}
