import EventLedger
import Testing

struct FeedCoreTests {
  @Test(arguments: [0, 0.3])
  func everyReaderHasEveryEventInOrderInWhateverOrderStepsAreTaken(newsIsLost: Double) {
    var fetches = 0
    for seed in UInt64(1)...1_000 {
      var world = FeedWorld(seed: seed, newsIsLost: newsIsLost)
      world.run(steps: 150)
      fetches += world.fetchCount
      #expect(world.breaches.isEmpty, "seed \(seed): \(world.breaches)")
      if !world.breaches.isEmpty { return }
    }
    // The rules were really used: readers did not just read for themselves.
    #expect(fetches > 1_000)
  }
}
