import LinkModel
import TestSupport
import Testing

@testable import HTTP3Engine

/// A client's PRIORITY_UPDATE that comes in pieces (RFC 9218 § 7.2).
@Suite struct PriorityUpdatePiecesTests {
  /// Each length of the element id's encoding (RFC 9000 § 16), all of request 0.
  private static let ids: [[UInt8]] = [[0], [0x40, 0], [0x80, 0, 0, 0], [0xc0, 0, 0, 0, 0, 0, 0, 0]]

  private static func update(_ id: [UInt8], _ value: String = "u=1") -> [UInt8] { Wire.http(0xf0700, id + value.utf8) }

  /// The pieces that the library reads when the stream comes cut so.
  private static func pieces(_ stream: [UInt8], cutAt cuts: [Int]) -> [[UInt8]] {
    var pieces = PriorityUpdatePieces()
    let bounds = [0] + cuts + [stream.count]
    return zip(bounds, bounds.dropFirst()).map { start, end in
      let bytes = Array(stream[start..<end])
      return bytes.withUnsafeBytes { pieces.pieces(of: $0) } ?? bytes
    }
  }

  @Test(arguments: ids)
  func noPieceEndsBehindAnElementID(_ id: [UInt8]) {
    let stream = [0, 4, 0] + Self.update(id) + Wire.http(0x21, [1, 2, 3]) + Self.update(id, "u=7, i") + Wire.http(7, [0])
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

  /// Cut at every place; the library's assertion would end the process.
  @Test(arguments: ids)
  func theServerLivesAndHeedsThePriority(_ id: [UInt8]) throws {
    let stream = [0, 4, 0] + Self.update(id)
    for cut in 1..<stream.count {
      let attack = try RawAttack(on: QUICPair.make(clientLimits: { $0.isRaw = true }), attacksServer: true)
      let request = try #require(attack.request())
      let control = try #require(attack.open(isBidirectional: false))
      attack.peer?.sendRaw(Array(stream[..<cut]), on: control)
      try attack.pair.run(for: .milliseconds(50))
      attack.peer?.sendRaw(Array(stream[cut...]), on: control)
      try attack.pair.run(for: .milliseconds(50))
      attack.peer?.sendRaw(Wire.get("/bytes/10"), on: request, isLast: true)
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
