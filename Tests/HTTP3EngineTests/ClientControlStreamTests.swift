import LinkModel
import TestSupport
import Testing

@testable import HTTP3Engine

/// A client's PRIORITY_UPDATE that comes in pieces (RFC 9218 § 7.2).
@Suite struct ClientControlStreamTests {
  /// Each length of the element id's encoding (RFC 9000 § 16), all of request 0.
  private static let ids: [[UInt8]] = [[0], [0x40, 0], [0x80, 0, 0, 0], [0xc0, 0, 0, 0, 0, 0, 0, 0]]

  private static func update(_ id: [UInt8], _ value: String = "u=1") -> [UInt8] { Wire.http(0xf0700, id + value.utf8) }

  /// The pieces that the library reads when the stream comes cut so.
  private static func pieces(_ bytes: [UInt8], cutAt cuts: [Int]) -> [[UInt8]] {
    var stream = ClientControlStream()
    let bounds = [0] + cuts + [bytes.count]
    return zip(bounds, bounds.dropFirst()).map { start, end in
      let piece = Array(bytes[start..<end])
      switch piece.withUnsafeBytes({ stream.read($0) }) {
      case .asReceived: return piece
      case .pieces(let pieces): return pieces
      case .breach: return []
      }
    }
  }

  @Test(arguments: ids)
  func noPieceEndsBehindAnElementID(_ id: [UInt8]) {
    let stream =
      [0, 4, 0] + Self.update(id) + Wire.http(0x21, [1, 2, 3]) + Self.update(id, "u=7, i") + Wire.http(7, [0])
    let headerLength = 4 + 1 + id.count
    let second = 3 + Self.update(id).count + 5
    let forbidden: Set = [3 + headerLength, second + headerLength]
    var cuts = (1..<stream.count).map { [$0] }
    cuts += (1..<stream.count - 1).map { [$0, $0 + 1] } + [Array(1..<stream.count)]
    for cut in cuts {
      let pieces = Self.pieces(stream, cutAt: cut)
      #expect(pieces.flatMap { $0 } == stream, "cut at \(cut)")
      var end = 0
      for piece in pieces {
        end += piece.count
        #expect(!forbidden.contains(end), "cut at \(cut): a piece ends at \(end)")
      }
    }
  }

  @Test func aFrameWithoutAValueIsNotHeldBack() {
    let stream = [0, 4, 0] + Self.update([0], "")
    #expect(Self.pieces(stream, cutAt: []) == [stream])
    #expect(Self.pieces(stream + Wire.http(7, [0]), cutAt: [stream.count]) == [stream, Wire.http(7, [0])])
  }

  @Test func otherStreamsAreLeftAlone() {
    let stream = [2] + Self.update([0])
    #expect(Self.pieces(stream, cutAt: [7]) == [Array(stream[..<7]), Array(stream[7...])])
  }

  @Test(arguments: [7, 13] as [UInt64], 1...5)
  func moreThanAnIDIsMalformed(_ type: UInt64, _ size: Int) {
    let bytes = [0, 4, 0] + Wire.http(type, [4]) + Wire.http(type, [0x40, 4, 0])
    var stream = ClientControlStream()
    var last = ClientControlStream.Reading.asReceived
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = Array(bytes[start..<min(start + size, bytes.count)])
      last = piece.withUnsafeBytes { stream.read($0) }
      if last == .breach(.malformed) {
        #expect(start + size >= bytes.count - 1)
        return
      }
    }
    Issue.record("was read as well-formed: \(last)")
  }

  @Test(arguments: [7, 13] as [UInt64])
  func theServerRefusesMoreThanAnID(_ type: UInt64) throws {
    let attack = try RawAttack(on: QUICPair.make(clientLimits: { $0.isRaw = true }), attacksServer: true)
    let control = try #require(attack.open(isBidirectional: false))
    attack.peer?.raw?.send([0, 4, 0] + Wire.http(type, [0, 0xd, 1, 0]), on: control)
    try attack.pair.run(for: .seconds(1))
    #expect(attack.verdict?.code == .application(.frameError))
  }

  @Test(
    arguments: [
      (Wire.http(3, [0]), .idError), (Wire.http(3, [0x7f, 0xff]), .idError), ([0x40, 3, 1, 0], .idError),
      (Wire.http(13, [9]) + Wire.http(13, [8]), .idError),
      (Wire.http(13, [9]) + Wire.http(13, [9]) + Wire.http(13, [10]), nil),
    ] as [([UInt8], ApplicationErrorCode?)], [true, false])
  func theServerRefusesPushesThatThereAreNot(_ test: ([UInt8], ApplicationErrorCode?), isAtOnce: Bool) throws {
    let attack = try RawAttack(on: QUICPair.make(clientLimits: { $0.isRaw = true }), attacksServer: true)
    let control = try #require(attack.open(isBidirectional: false))
    let stream = [0, 4, 0] + test.0
    for piece in isAtOnce ? [stream] : stream.map({ [$0] }) {
      attack.peer?.raw?.send(piece, on: control)
      try attack.pair.run(for: .milliseconds(10))
    }
    try attack.pair.run(for: .seconds(1))
    #expect(attack.verdict?.code == test.1.map { .application($0) })
  }

  /// SETTINGS comes first, whatever else is wrong (RFC 9114 § 6.2.1).
  @Test func aCancelledPushBeforeSettingsIsMissedSettings() throws {
    let attack = try RawAttack(on: QUICPair.make(clientLimits: { $0.isRaw = true }), attacksServer: true)
    attack.peer?.raw?.send([0] + Wire.http(3, [0]), on: try #require(attack.open(isBidirectional: false)))
    try attack.pair.run(for: .seconds(1))
    #expect(attack.verdict?.code == .application(.missingSettings))
  }

  /// Cut at every place; the library's assertion would end the process.
  @Test(arguments: ids)
  func theServerLivesAndHeedsThePriority(_ id: [UInt8]) throws {
    let stream = [0, 4, 0] + Self.update(id)
    for cut in 1..<stream.count {
      let attack = try RawAttack(on: QUICPair.make(clientLimits: { $0.isRaw = true }), attacksServer: true)
      let request = try #require(attack.request())
      let control = try #require(attack.open(isBidirectional: false))
      attack.peer?.raw?.send(Array(stream[..<cut]), on: control)
      try attack.pair.run(for: .milliseconds(50))
      attack.peer?.raw?.send(Array(stream[cut...]), on: control)
      try attack.pair.run(for: .milliseconds(50))
      attack.peer?.raw?.send(Wire.get("/bytes/10"), on: request, isLast: true)
      var priority: StreamPriority?
      let handle = attack.pair.onServer
      attack.pair.onServer = { key, event in
        if case .headersReceived = event { priority = attack.victim?.priority(of: request) }
        handle(key, event)
      }
      try attack.pair.run(for: .seconds(1))
      #expect(attack.verdict == nil, "cut at \(cut)")
      #expect(priority?.urgency == 1, "cut at \(cut)")
    }
  }
}
