import ReferenceBackend
import Testing

struct GrowingPauseTests {
  @Test func itDoublesToItsLongest() {
    var pause = GrowingPause()
    let pauses = (0..<8).map { _ in pause.next() }
    #expect(pauses == [2, 4, 8, 16, 32, 50, 50, 50].map { .milliseconds($0) })
  }
}
