import Foundation
import StreamTransport
import Testing

@Suite struct CachedFileTests {
  private static func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "cached-file-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  private static func found<Value>(_ answer: CachedFile.Answer<Value>) -> Value? {
    if case .found(let value) = answer { value } else { nil }
  }

  /// Whether kernel and file system can tell what is in memory; elsewhere every answer is that it is not at hand.
  private static func canTell(_ path: String) -> Bool { found(CachedFile.bytes(of: path, in: nil, limit: 100)) != nil }

  @Test(
    arguments: [
      (nil, [0, 1, 2, 3, 4]), (0...0, [0]), (1...3, [1, 2, 3]), (3...Int.max, [3, 4]),
    ] as [(ClosedRange<Int>?, [UInt8])])
  func thePartThatIsAskedForIsRead(_ range: ClosedRange<Int>?, _ expected: [UInt8]) throws {
    try Self.withFile([0, 1, 2, 3, 4]) { path in
      guard Self.canTell(path) else { return }
      #expect(Self.found(CachedFile.bytes(of: path, in: range, limit: 5)) == expected)
    }
  }

  @Test func attributesAreThoseOfTheFile() throws {
    try Self.withFile([0, 1, 2]) { path in
      guard Self.canTell(path) else { return }
      let file = try #require(Self.found(CachedFile.attributes(of: path)))
      let modified = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
      #expect(file.size == 3 && !file.isFolder)
      #expect(file.modified == modified.map { Int($0.timeIntervalSince1970.rounded(.down)) })
      #expect(Self.found(CachedFile.attributes(of: NSTemporaryDirectory()))?.isFolder == true)
    }
  }

  @Test func anEmptyFileHasNoBytes() throws {
    try Self.withFile([]) { path in
      guard Self.canTell(path) else { return }
      #expect(Self.found(CachedFile.bytes(of: path, in: nil, limit: 0)) == [])
    }
  }

  @Test(arguments: [5...9, -1...2]) func aRangeThatBeginsOutsideIsNotAnswered(_ range: ClosedRange<Int>) throws {
    try Self.withFile([0, 1, 2, 3, 4]) { path in
      #expect(Self.found(CachedFile.bytes(of: path, in: range, limit: 100)) == nil)
    }
  }

  @Test func whatIsLargerThanTheLimitIsNotRead() throws {
    try Self.withFile([0, 1, 2, 3, 4]) { path in
      #expect(Self.found(CachedFile.bytes(of: path, in: nil, limit: 4)) == nil)
      guard Self.canTell(path) else { return }
      #expect(Self.found(CachedFile.bytes(of: path, in: 1...4, limit: 4)) == [1, 2, 3, 4])
    }
  }

  /// A pipe without a writer would be waited for.
  @Test func onlyRegularFilesAreRead() throws {
    let path = NSTemporaryDirectory() + "cached-file-\(UUID().uuidString)"
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    for path in [path, NSTemporaryDirectory(), "/dev/zero", "/proc/version", path + "-missing"] {
      #expect(Self.found(CachedFile.bytes(of: path, in: 0...9, limit: 100)) == nil)
    }
  }
}
