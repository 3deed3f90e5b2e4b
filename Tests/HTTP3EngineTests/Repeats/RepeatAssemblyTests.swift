import TestSupport
import Testing

@testable import HTTP3Engine

@Suite struct RepeatAssemblyTests {
  private static let content = (0..<200).map { UInt8($0) }

  private static func range(_ places: Range<Int>) -> ContentRange {
    ContentRange(offset: UInt64(places.lowerBound), bytes: Array(content[places]))
  }

  private static func begun() -> RepeatAssembly {
    var assembly = RepeatAssembly()
    _ = assembly.begin()
    return assembly
  }

  private static func stream(_ bytes: [UInt8], _ assembly: inout RepeatAssembly) throws -> [UInt8] {
    try bytes.withUnsafeBufferPointer { buffer in
      let (known, following) = try assembly.receiveStream(buffer)
      return bytes.dropFirst(known) + following
    }
  }

  @Test func aRepeatNextInOrderIsHandedOnAndTheStreamsBytesAreNot() throws {
    var assembly = Self.begun()
    #expect(try Self.stream(Array(Self.content[..<10]), &assembly) == Array(Self.content[..<10]))
    #expect(try assembly.receive(Self.range(10..<20)) == Array(Self.content[10..<20]))
    #expect(try assembly.receive(Self.range(10..<20)) == [])
    #expect(assembly.early == 10)
    #expect(try Self.stream(Array(Self.content[10..<25]), &assembly) == Array(Self.content[20..<25]))
    #expect(assembly.early == 0 && assembly.isEmpty)
    try assembly.end()
  }

  @Test func aRangeAheadOfAHoleWaitsUntilTheHoleIsFilled() throws {
    var assembly = Self.begun()
    #expect(try assembly.receive(Self.range(10..<20)) == [])
    #expect(try assembly.receive(Self.range(5..<12)) == [])
    #expect(assembly.early == 0)
    #expect(try assembly.receive(Self.range(0..<5)) == Array(Self.content[..<20]))
    #expect(try Self.stream(Array(Self.content[..<3]), &assembly) == [])
    #expect(assembly.early == 17)
    #expect(try Self.stream(Array(Self.content[3..<30]), &assembly) == Array(Self.content[20..<30]))
  }

  @Test func theStreamFillsAHoleBeforeARange() throws {
    var assembly = Self.begun()
    #expect(try assembly.receive(Self.range(10..<20)) == [])
    #expect(try Self.stream(Array(Self.content[..<10]), &assembly) == Array(Self.content[..<20]))
  }

  @Test func nothingIsHandedOnBeforeTheHead() throws {
    var assembly = RepeatAssembly()
    #expect(try assembly.receive(Self.range(0..<10)) == [])
    #expect(assembly.begin() == Array(Self.content[..<10]))
    #expect(assembly.early == 10)
  }

  @Test func whatIsBehindTheStreamIsDropped() throws {
    var assembly = Self.begun()
    _ = try Self.stream(Array(Self.content[..<20]), &assembly)
    // Nothing is kept of it to be compared with.
    #expect(try assembly.receive(ContentRange(offset: 0, bytes: [9, 9])) == [])
    #expect(try assembly.receive(Self.range(15..<25)) == Array(Self.content[20..<25]))
  }

  @Test func aDifferenceIsABreachWhereverItIs() throws {
    // From an earlier repeat that was handed on, from one ahead of a hole, and from the stream.
    for (first, second) in [(0..<10, 5..<12), (5..<15, 10..<20), (5..<15, 0..<6)] {
      var assembly = Self.begun()
      _ = try assembly.receive(Self.range(first))
      let bytes = Self.content[second].map { $0 ^ 1 }
      #expect(throws: RepeatAssembly.Breach.difference) {
        try assembly.receive(ContentRange(offset: UInt64(second.lowerBound), bytes: bytes))
      }
      #expect(throws: RepeatAssembly.Breach.difference) {
        try Self.stream(Self.content[..<second.upperBound].map { $0 ^ 1 }, &assembly)
      }
    }
  }

  @Test func aRepeatBeyondTheEndIsABreach() throws {
    for range in [0..<11, 12..<14] {
      var assembly = Self.begun()
      _ = try assembly.receive(Self.range(range))
      _ = try Self.stream(Array(Self.content[..<10]), &assembly)
      #expect(throws: RepeatAssembly.Breach.beyondEnd) { try assembly.end() }
    }
  }

  @Test func whatIsKeptHasALimit() throws {
    var assembly = Self.begun()
    let kilobyte = [UInt8](repeating: 7, count: 1_024)
    var handedOn = 0
    for index in 0..<32 as Range<UInt64> {
      handedOn += try assembly.receive(ContentRange(offset: index * 1_024, bytes: kilobyte)).count
    }
    #expect(handedOn == RepeatAssembly.byteLimit && assembly.early == handedOn)
    // The rest is the stream's to bring, which makes room.
    #expect(try Self.stream(kilobyte, &assembly) == [])
    #expect(try assembly.receive(ContentRange(offset: 16 * 1_024, bytes: kilobyte)) == kilobyte)
    var holes = Self.begun()
    for index in 1...1_000 as ClosedRange<UInt64> {
      _ = try holes.receive(ContentRange(offset: index * 2, bytes: [UInt8(truncatingIfNeeded: index * 2)]))
    }
    let bytes = (0..<2_002).map { UInt8(truncatingIfNeeded: $0) }
    #expect(try Self.stream(bytes, &holes) == bytes)
  }

  /// Any order of true repeats and of the stream gives the content, each byte once.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func everyOrderGivesTheContent(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let content = (0..<Int.random(in: 1...3_000, using: &generator)).map { _ in
      UInt8.random(in: 0...3, using: &generator)
    }
    var assembly = RepeatAssembly()
    var result: [UInt8] = []
    var sent = 0
    var hasBegun = false
    while sent < content.count {
      if !hasBegun, generator.chance(0.3) {
        hasBegun = true
        result += assembly.begin()
      }
      if hasBegun, generator.chance(0.4) {
        let end = min(content.count, sent + Int.random(in: 0...200, using: &generator))
        result += try Self.stream(Array(content[sent..<end]), &assembly)
        sent = end
      } else {
        let start = min(content.count - 1, max(0, sent + Int.random(in: -200...300, using: &generator)))
        let end = min(content.count, start + Int.random(in: 1...200, using: &generator))
        result += try assembly.receive(ContentRange(offset: UInt64(start), bytes: Array(content[start..<end])))
      }
      #expect(assembly.delivered == UInt64(result.count), "seed \(seed)")
      #expect(assembly.early <= RepeatAssembly.byteLimit, "seed \(seed)")
    }
    #expect(result == content, "seed \(seed)")
    try assembly.end()
  }

  /// Lies end in a breach, or are as good as true: nothing traps, and what was handed on stays what the stream says.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func liesAreFoundBeforeTheStreamHasPassedThem(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let content = (0..<2_000).map { _ in UInt8.random(in: 0...1, using: &generator) }
    var assembly = Self.begun()
    var result: [UInt8] = []
    var sent = 0
    do {
      while sent < content.count {
        if generator.chance(0.3) {
          let end = min(content.count, sent + Int.random(in: 1...100, using: &generator))
          result += try Self.stream(Array(content[sent..<end]), &assembly)
          sent = end
          #expect(result.prefix(sent).elementsEqual(content[..<sent]), "seed \(seed)")
        } else {
          let offset = generator.chance(0.1) ? generator.next() >> 3 : UInt64.random(in: 0..<2_100, using: &generator)
          let bytes = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
            UInt8.random(in: 0...1, using: &generator)
          }
          result += try assembly.receive(ContentRange(offset: offset, bytes: bytes))
        }
      }
      try assembly.end()
      #expect(result == content, "seed \(seed)")
    } catch {
      #expect(error is RepeatAssembly.Breach, "seed \(seed)")
    }
  }
}
