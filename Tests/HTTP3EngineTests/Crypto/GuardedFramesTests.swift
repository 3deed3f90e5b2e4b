import TestSupport
import Testing

@testable import HTTP3Engine

/// CRYPTO frames among all others, against the decoder that makes something of each.
@Suite struct GuardedFramesTests {
  private static let others: [[UInt8]] = [
    [0, 0, 0], [1], Wire.quic(2, 1_000, 3, 2, 5, 1, 1, 2, 2), Wire.quic(3, 7, 0, 0, 0, 1, 2, 3), Wire.quic(4, 0, 1, 2),
    Wire.quic(5, 4, 9), Wire.quic(7, 4, then: [6, 0, 1, 2]), Wire.quic(0x0a, 4, 3, then: [6, 0, 1]),
    Wire.quic(0x0f, 4, 70_000, 2, then: [6, 0]), Wire.quic(0x10, 1 << 40), Wire.quic(0x11, 4, 99), Wire.quic(0x12, 8),
    Wire.quic(0x13, 8), Wire.quic(0x14, 8), Wire.quic(0x15, 4, 8), Wire.quic(0x16, 8), Wire.quic(0x17, 8),
    Wire.quic(0x18, 5, 2, then: [8] + [UInt8](repeating: 6, count: 24)), Wire.quic(0x19, 3),
    Wire.quic(0x1a, then: [6, 0, 1, 2, 3, 4, 5, 6]), Wire.quic(0x1b, then: [6, 0, 1, 2, 3, 4, 5, 6]),
    Wire.quic(0x1c, 1, 6, 3, then: [6, 0, 1]), Wire.quic(0x1d, 1, 3, then: [6, 0, 1]), [0x1e],
    Wire.quic(0x31, 3, then: [6, 0, 1]),
  ]

  private static func frames(_ payload: [UInt8]) -> [GuardedFrames.Frame] {
    payload.withUnsafeBytes { bytes in
      var frames = GuardedFrames(bytes)
      var found: [GuardedFrames.Frame] = []
      while let frame = frames?.next() {
        if case .crypto = frame { found.append(frame) }
      }
      return found
    }
  }

  @Test func framesBehindEachOtherFrameAreFound() {
    let crypto = Wire.quic(6, 70_000, 3, then: [1, 2, 3])
    for other in Self.others {
      #expect(Self.frames(other + crypto) == [.crypto(offset: 70_000, count: 3)], "behind \(other)")
    }
    let all = Self.others.flatMap { $0 + crypto }
    #expect(Self.frames(all).count == Self.others.count)
  }

  @Test func framesThatTakeTheRestOfThePacketHideNothing() {
    #expect(Self.frames(Wire.quic(0x08, 4, then: [6, 0, 1, 2])).isEmpty)
    #expect(Self.frames([0x30, 6, 0, 1, 2]).isEmpty)
    #expect(Self.frames([]).isEmpty)
  }

  /// Any bytes: as many frames as the other decoder finds before the first that is malformed.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func agreesWithTheDecoderOnAnyBytes(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for number in 0..<500 {
      var payload = (0..<Int.random(in: 0..<6, using: &random)).flatMap { _ in
        Bool.random(using: &random)
          ? Wire.quic(6, UInt64.random(in: 0..<1 << 30, using: &random), 2, then: [0, 0])
          : Self.others.randomElement(using: &random) ?? []
      }
      if !payload.isEmpty, Bool.random(using: &random) {
        payload[Int.random(in: payload.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        payload.removeLast(Int.random(in: 0...payload.count / 4, using: &random))
      }
      let expected = payload.withUnsafeBytes { bytes in
        var decoder = QUICFrameDecoder(bytes)
        var found: [GuardedFrames.Frame] = []
        while let (frame, _) = decoder.next() {
          switch frame {
          case .crypto(let offset, let length): found.append(.crypto(offset: offset, count: UInt64(length)))
          default: break
          }
        }
        return found
      }
      let found = Self.frames(payload)
      // Where a frame is malformed only in what it says, this one may read on.
      #expect(Array(found.prefix(expected.count)) == expected, "seed \(seed), packet \(number): \(payload)")
    }
  }
}
