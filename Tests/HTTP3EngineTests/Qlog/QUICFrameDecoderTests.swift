import HTTP3Engine
import TestSupport
import Testing

@Suite struct QUICFrameDecoderTests {
  struct Row: CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var frame: QUICFrame

    init(_ name: String, _ bytes: [UInt8], _ frame: QUICFrame) {
      testDescription = name
      self.bytes = bytes
      self.frame = frame
    }
  }

  static let rows: [Row] = [
    Row("padding", [0, 0, 0], .padding(count: 3)),
    Row("ping", [1], .ping),
    Row("ack", [2, 0x0a, 0x40, 0x64, 0, 2], .acknowledgement(.init(ranges: [8...10], delay: 100))),
    Row(
      "ack with ranges", [2, 0x14, 0, 2, 1, 0, 0, 3, 4],
      .acknowledgement(.init(ranges: [19...20, 17...17, 8...12], delay: 0))),
    Row(
      "ack with marks", [3, 5, 1, 0, 5, 7, 8, 9],
      .acknowledgement(
        .init(ranges: [0...5], delay: 1, marks: .init(ect0: 7, ect1: 8, congestionExperienced: 9)))),
    Row("reset_stream", [4, 4, 0x41, 0x0c, 9], .resetStream(id: 4, code: 0x10c, finalSize: 9)),
    Row("stop_sending", [5, 8, 0x41, 0], .stopSending(id: 8, code: 0x100)),
    Row("crypto", [6, 7, 3, 1, 2, 3], .crypto(offset: 7, length: 3)),
    Row("new_token", [7, 2, 9, 9], .newToken(length: 2)),
    Row("stream without length", [8, 4, 1, 2], .stream(id: 4, offset: 0, length: 2, isLast: false)),
    Row("stream with all", [0x0f, 4, 0x80, 1, 0, 0, 1, 9], .stream(id: 4, offset: 65_536, length: 1, isLast: true)),
    Row("empty end of a stream", [0x0b, 4, 0], .stream(id: 4, offset: 0, length: 0, isLast: true)),
    Row("max_data", [0x10, 0xff, 255, 255, 255, 255, 255, 255, 255], .maxData(1 << 62 - 1)),
    Row("max_stream_data", [0x11, 1, 2], .maxStreamData(id: 1, 2)),
    Row("max_streams", [0x12, 3], .maxStreams(.bidirectional, 3)),
    Row("max_streams of the other kind", [0x13, 3], .maxStreams(.unidirectional, 3)),
    Row("data_blocked", [0x14, 3], .dataBlocked(3)),
    Row("stream_data_blocked", [0x15, 1, 3], .streamDataBlocked(id: 1, 3)),
    Row("streams_blocked", [0x16, 3], .streamsBlocked(.bidirectional, 3)),
    Row("streams_blocked of the other kind", [0x17, 3], .streamsBlocked(.unidirectional, 3)),
    Row(
      "new_connection_id", [0x18, 1, 0, 2, 0xaa, 0xbb] + [UInt8](repeating: 7, count: 16),
      .newConnectionID(sequence: 1, retirePriorTo: 0, id: [0xaa, 0xbb])),
    Row("retire_connection_id", [0x19, 1], .retireConnectionID(sequence: 1)),
    Row("path_challenge", [0x1a, 1, 2, 3, 4, 5, 6, 7, 8], .pathChallenge(0x0102_0304_0506_0708)),
    Row("path_response", [0x1b, 1, 2, 3, 4, 5, 6, 7, 8], .pathResponse(0x0102_0304_0506_0708)),
    Row(
      "connection_close", [0x1c, 7, 6, 2, 0x68, 0x69],
      .close(.init(isApplication: false, code: 7, frameType: 6, reason: "hi"))),
    Row(
      "application's close", [0x1d, 0x41, 0, 1, 0xff],
      .close(.init(isApplication: true, code: 0x100, frameType: nil, reason: "\u{fffd}"))),
    Row("handshake_done", [0x1e], .handshakeDone),
    Row("datagram without length", [0x30, 1, 2], .datagram(length: 2)),
    Row("datagram", [0x31, 1, 2], .datagram(length: 1)),
  ]

  static func decode(_ bytes: [UInt8]) -> [(frame: QUICFrame, length: Int)] {
    bytes.withUnsafeBytes { buffer in
      var decoder = QUICFrameDecoder(buffer)
      var frames: [(frame: QUICFrame, length: Int)] = []
      while let next = decoder.next() { frames.append(next) }
      return frames
    }
  }

  @Test(arguments: rows) func aFrameIsRead(_ row: Row) {
    let frames = Self.decode(row.bytes)
    #expect(frames.map(\.frame) == [row.frame])
    #expect(frames.map(\.length) == [row.bytes.count])
  }

  @Test(arguments: rows) func aCutFrameIsUnknownOrAShorterOne(_ row: Row) {
    for count in 1..<max(row.bytes.count, 2) {
      let frames = Self.decode(Array(row.bytes.prefix(count)))
      #expect(frames.map(\.length).reduce(0, +) == min(count, row.bytes.count))
      #expect(frames.count == 1 || row.bytes.count == 1)
      guard count < row.bytes.count, let frame = frames.first?.frame else { continue }
      switch frame {
      case .unknown(_, let length): #expect(length == count)
      // Frames that reach to the end of the packet, and padding, may be cut anywhere.
      case .padding, .stream, .datagram: #expect([0x00, 0x08, 0x30].contains(row.bytes[0]))
      default: Issue.record("\(frame) was read from \(count) of \(row.bytes.count) bytes")
      }
    }
  }

  @Test func allFramesOfAPacketAreRead() {
    let whole = Self.rows.filter { $0.bytes[0] != 0x08 && $0.bytes[0] != 0x30 }
    let frames = Self.decode(whole.flatMap(\.bytes))
    #expect(frames.map(\.frame) == whole.map(\.frame))
  }

  struct Malformed: CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var type: UInt64?
  }

  @Test(arguments: [
    Malformed(testDescription: "a type beyond all", bytes: [0x21, 1, 2], type: 0x21),
    Malformed(testDescription: "a range below zero", bytes: [2, 5, 0, 0, 6], type: 2),
    Malformed(testDescription: "a gap below zero", bytes: [2, 5, 0, 1, 0, 4, 0], type: 2),
    Malformed(
      testDescription: "more ranges than bytes", bytes: [2, 5, 0, 0xff, 255, 255, 255, 255, 255, 255, 255, 0], type: 2),
    Malformed(
      testDescription: "a length beyond memory", bytes: [6, 0, 0xff, 255, 255, 255, 255, 255, 255, 255, 0], type: 6),
    Malformed(
      testDescription: "an id of 21 bytes", bytes: [0x18, 1, 0, 21] + [UInt8](repeating: 0, count: 40), type: 0x18),
    Malformed(testDescription: "an id of none", bytes: [0x18, 1, 0, 0] + [UInt8](repeating: 1, count: 16), type: 0x18),
    Malformed(testDescription: "half a type", bytes: [0x40], type: nil),
  ]) func aMalformedFrameTakesTheRest(_ row: Malformed) {
    #expect(Self.decode([1] + row.bytes).map(\.frame) == [.ping, .unknown(type: row.type, length: row.bytes.count)])
  }

  @Test func rangesBeyondTheLimitAreCounted() {
    let count = 100
    let bytes: [UInt8] = [2, 0x44, 0, 0, 0x40, UInt8(count), 0] + [UInt8](repeating: 0, count: 2 * count)
    guard case .acknowledgement(let acknowledgement) = Self.decode(bytes).first?.frame else {
      Issue.record("no acknowledgement")
      return
    }
    #expect(acknowledgement.ranges.count == QUICFrameDecoder.rangeLimit)
    #expect(acknowledgement.omittedRanges == UInt64(count + 1 - QUICFrameDecoder.rangeLimit))
    #expect(acknowledgement.ranges[1] == 1_022...1_022)
  }

  @Test func noBytesTrapAndAllAreAccountedFor() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let bytes = (0..<Int(generator.next() % 40)).map { _ in
        // Half of them small, so that types and lengths are often meaningful.
        UInt8(truncatingIfNeeded: generator.next() & (generator.next() & 1 == 0 ? 0x1f : 0xff))
      }
      #expect(Self.decode(bytes).map(\.length).reduce(0, +) == bytes.count)
    }
  }
}
