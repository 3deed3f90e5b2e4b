import Testing

@testable import latency_lab

struct StreamAbortsTests {
  private let aborts = StreamAborts()

  @Test func eachStreamOfEachRunIsTakenOnce() {
    for (start, stream) in [(Int64(1), 0), (1, 1), (2, 0)] {
      #expect(aborts.take(start: start, stream: stream))
      #expect(!aborts.take(start: start, stream: stream))
    }
  }

  @Test func theOldestAreForgotten() {
    for start in 0...Int64(StreamAborts.limit) { #expect(aborts.take(start: start, stream: 0)) }
    #expect(!aborts.take(start: 1, stream: 0))
    #expect(aborts.take(start: 0, stream: 0))
  }
}
