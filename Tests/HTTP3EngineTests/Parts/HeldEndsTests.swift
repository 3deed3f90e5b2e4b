import Testing

@testable import HTTP3Engine

@Suite struct HeldEndsTests {
  @Test func anEndIsForgottenOnceAllBeforeItIsAcknowledged() {
    var ends = HeldEnds()
    #expect(ends.isEmpty && ends.forgotten { _ in true } == nil)
    ends.insert(StreamID(0))
    ends.insert(StreamID(4))
    #expect(!ends.isEmpty && ends.forgotten { _ in false } == nil)
    #expect(ends.forgotten { $0 == StreamID(4) } == StreamID(4))
    ends.remove(StreamID(4))
    #expect(ends.forgotten { $0 == StreamID(4) } == nil && !ends.isEmpty)
    ends.remove(StreamID(0))
    ends.remove(StreamID(0))
    #expect(ends.isEmpty)
    ends.insert(StreamID(8))
    ends.removeAll()
    #expect(ends.isEmpty && ends.forgotten { _ in true } == nil)
  }
}
