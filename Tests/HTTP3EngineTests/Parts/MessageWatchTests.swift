import Testing

@testable import HTTP3Engine

@Suite struct MessageWatchTests {
  private let head: [UInt8] = [0x01, 0x03, 0x00, 0x00, 0xd9]
  private let data: [UInt8] = [0x00, 0x02, 0x68, 0x69]
  private let promise: [UInt8] = [0x05, 0x03, 0x00, 0x00, 0x00]

  private func watch(isOfServer: Bool = true) -> MessageWatch {
    MessageWatch(fieldSectionLimit: 1_024, isOfServer: isOfServer)
  }

  /// The fault in bytes that come in pieces of this size.
  private func breach(_ bytes: [UInt8], by size: Int, _ watch: inout MessageWatch) -> HTTP3Error? {
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = Array(bytes[start..<min(start + size, bytes.count)])
      if let error = piece.withUnsafeBytes({ watch.breach(in: $0) }) { return error }
    }
    return nil
  }

  @Test(arguments: [1, 2, 100]) func sectionsComeOutInTheirOrder(size: Int) {
    var watch = watch()
    #expect(watch.isEmpty)
    let trailers: [UInt8] = [0x01, 0x04, 0x00, 0x00, 0x11, 0x22]
    #expect(breach(head + data + trailers, by: size, &watch) == nil)
    #expect(!watch.isEmpty)
    #expect(watch.nextSection() == [0x00, 0x00, 0xd9])
    #expect(watch.nextSection() == [0x00, 0x00, 0x11, 0x22])
    #expect(watch.nextSection() == nil)
  }

  @Test(arguments: [1, 100]) func aPushThatWasNotAllowedIsAnIDError(size: Int) {
    var server = watch()
    #expect(breach(head + promise, by: size, &server)?.code == .application(.idError))
    // To a server the library says it itself.
    var client = watch(isOfServer: false)
    #expect(breach(head + promise, by: size, &client) == nil)
  }

  @Test func sectionsThatWaitForTheTableAreLimited() {
    var watch = watch()
    let many = Array(repeatElement(head, count: 32).joined())
    #expect(breach(many, by: 100, &watch) == nil)
    #expect(breach(head, by: 100, &watch)?.code == .application(.excessiveLoad))
    var other = self.watch()
    #expect(breach(many, by: 100, &other) == nil)
    // One was decoded.
    _ = other.nextSection()
    #expect(breach(head, by: 100, &other) == nil)
  }

  @Test func dataBehindTrailersIsSeen() {
    var watch = watch()
    #expect(breach(head + data + head, by: 100, &watch) == nil)
    _ = watch.nextSection()
    watch.hasHead = true
    _ = watch.nextSection()
    watch.hasTrailers = true
    #expect(!watch.isBehindTrailers)
    #expect(breach(data, by: 100, &watch) == nil)
    #expect(watch.isBehindTrailers)
  }

  @Test func anEmptySectionCountsAsTrailersBehindAHeadAlone() {
    var watch = watch()
    let empty: [UInt8] = [0x01, 0x00]
    #expect(breach(empty + head, by: 100, &watch) == nil)
    #expect(!watch.isBehindTrailers)
    watch.hasHead = true
    #expect(watch.isBehindTrailers)
  }
}
