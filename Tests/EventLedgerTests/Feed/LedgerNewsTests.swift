import EventLedger
import Synchronization
import Testing

struct LedgerNewsTests {
  private final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
  }

  /// As that of a cache which follows the same ledger, and goes with its reader.
  private static func subscribe(_ news: LedgerNews, holding other: LedgerNews.Subscription) -> LedgerNews.Subscription {
    news.subscribe { _ in withExtendedLifetime(other) {} }
  }

  @Test func aListenerMayBeTheLastToHoldAnotherSubscription() {
    let news = LedgerNews()
    let counter = Counter()
    var subscriptions = [Self.subscribe(news, holding: news.subscribe { _ in counter.add() })]
    news.post(.missed)
    #expect(subscriptions.count == 1 && counter.value == 1)
    subscriptions = []
    news.post(.missed)
    #expect(counter.value == 1)
  }
}
