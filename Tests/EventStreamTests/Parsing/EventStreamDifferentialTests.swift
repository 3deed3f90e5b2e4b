import EventStream
import TestSupport
import Testing

@Suite("Event-stream parser against the standard's words")
struct EventStreamDifferentialTests {
  @Test(arguments: 0..<40)
  func randomStreamsSayWhatTheStandardSays(batch: Int) throws {
    for seed in UInt64(batch * 50)..<UInt64(batch * 50 + 50) {
      var generator = SeededGenerator(seed: seed)
      let bytes = Self.stream(&generator)
      let reference = ReferenceEventStream(bytes)
      let cuts = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        Int.random(in: 0...bytes.count, using: &generator)
      }.sorted()
      for cuts in [[], cuts, Array(0...bytes.count)] {
        var parser = EventStreamParser()
        let items = try Chunking.items(bytes, cutAt: cuts, parser: &parser)
        #expect(items == reference.items, "seed \(seed), cut at \(cuts)")
        #expect(parser.lastEventID.utf8.elementsEqual(reference.lastEventID.utf8), "seed \(seed)")
      }
    }
  }

  @Test(
    arguments: [
      [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80], [0xC0, 0xAF], [0xE2, 0x82], [0xF0, 0x9F, 0x91], [0xF0, 0x9F, 0x41], [0x80, 0xBF],
      [0xE1, 0x80, 0xE2, 0xF0, 0x91, 0x92, 0xF1, 0xBF, 0x41],
    ] as [[UInt8]])
  func invalidUTF8IsReplacedAsTheEncodingStandardSays(_ sequence: [UInt8]) throws {
    let bytes = Array("data: <".utf8) + sequence + Array(">\n\n".utf8)
    for cuts in Chunking.all(bytes.count) {
      var parser = EventStreamParser()
      let items = try Chunking.items(bytes, cutAt: cuts, parser: &parser)
      #expect(items == ReferenceEventStream(bytes).items, "cut at \(cuts)")
    }
  }

  /// Pieces that meet the rules' edges often, and any byte now and then.
  private static func stream(_ generator: inout SeededGenerator) -> [UInt8] {
    let pieces: [[UInt8]] =
      ["\n", "\n", "\r", "\r\n", "\n\n", "data", "data:", "data: ", "id: 1", "id:", "id: \u{0}", "event: t"]
      .map { Array($0.utf8) }
      + ["event:", "retry: 10", "retry: x", ":", ": c", " ", "x", "\u{FEFF}", "é", "👍", "\t\t\t\t\t\t\t\t\t"]
      .map { Array($0.utf8) }
      + [[0xFF], [0xE2, 0x82], [0xEF, 0xBB], [0xF0, 0x9F], [0x80]]
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...60, using: &generator) {
      if Int.random(in: 0..<20, using: &generator) == 0 {
        bytes.append(UInt8.random(in: 0...255, using: &generator))
      } else {
        bytes += pieces.randomElement(using: &generator) ?? []
      }
    }
    return bytes
  }
}
