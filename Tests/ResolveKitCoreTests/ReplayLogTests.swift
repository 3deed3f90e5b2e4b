import Testing

@testable import ResolveKitCore

struct ReplayLogTests {
  @Test func anIdIsAcceptedOnce() {
    var log = ReplayLog(capacity: 10)
    #expect(log.accept("a") == true)
    #expect(log.accept("a") == false)
    #expect(log.resumePoint == nil)
    log.advance(to: "a")
    log.advance(to: "")
    #expect(log.resumePoint == "a")
    log.dropCursor()
    #expect(log.resumePoint == nil)
    #expect(log.accept("a") == false)
    log.reset()
    #expect(log.accept("a") == true)
  }

  @Test func theOldestIsForgotten() {
    var log = ReplayLog(capacity: 3)
    for id in 1...5 { #expect(log.accept("\(id)") == true) }
    for id in 3...5 { #expect(log.accept("\(id)") == false) }
    #expect(log.accept("1") == true)
    #expect(log.accept("3") == true)
    #expect(log.accept("5") == false)
  }
}
